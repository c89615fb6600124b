"""Records with words changed, lost, doubled and mangled: nothing raises, and everything that is asked is answered."""

import os
from contextlib import suppress
from random import Random

import pytest

from cartulary.notation import (
    GAMES,
    NotationError,
    as_seen,
    canonical,
    dumps,
    examine,
    judged_words,
    loads,
    story,
)
from cartulary.notation.picture import plain
from tests.laws.test_worlds import GAMES as WORLDS
from tests.rows import tables

HUNT = int(os.environ.get("HUNT", "1"))
RECORDS = 40 * HUNT
STRANGE = ("Draw", "Agree", "Resign", "p2/Timeout", "p1/Pass", "~", "End", "Pass", "p0/p1*~", "p3/")


def mutated(rng: Random, words: tuple[str, ...]) -> list[str]:
    """Return the words, cut anywhere, with a few of them changed, put in, left out or mangled."""
    kept = list(words[: rng.randint(1, len(words))])
    for _ in range(rng.randint(1, 6)):
        at, how = rng.randrange(len(kept) + 1), rng.random()
        other = rng.choice((*STRANGE, rng.choice(words)))
        if how < 0.4:
            kept[at : at + 1] = [other]
        elif how < 0.7:
            kept.insert(at, other)
        elif how < 0.85:
            del kept[at : at + 1]
        elif at < len(kept):
            place = rng.randrange(len(kept[at]))
            kept[at] = kept[at][:place] + rng.choice("~=>@:*-^&'abp123TKSW,/") + kept[at][place + rng.randint(0, 1) :]
    return kept


@pytest.mark.hunt
@pytest.mark.parametrize("key", WORLDS)
def test_a_record_with_words_mangled_is_judged_spelled_seen_drawn_and_told(key: str) -> None:
    title, play = WORLDS[key]
    rng, game = Random(f"mutations of {key}"), GAMES[key]
    for _ in range(RECORDS):
        opened = play(rng)
        text = tables.sheet(title, opened.tags, " ".join(mutated(rng, opened.words)))
        [record] = loads(text)
        examined = examine(record)
        assert [found for found in examined.report.findings if not found.because] == [], text
        spelled = dumps(canonical(record))
        assert dumps(canonical(loads(spelled)[0])) == spelled, text
        seen = as_seen(record, rng.randint(1, opened.seats))
        examine(seen)
        drawn = plain(game.words.picture(examined.state, rng.randint(0, opened.seats)))
        assert max(map(len, drawn.split("\n"))) <= 80, text
        game.hidden.whereabouts(examined.state)
        judged_words(game, examined.state, examined.calls)
        with suppress(NotationError):
            story(record, rng.randint(1, 200))
