"""Laws of tapping: what is tapped for a move is drawn, and the word that comes of it is that move."""

from collections.abc import Iterator
from random import Random
from typing import Any

from cartulary.engine import legal_moves
from cartulary.engine.calls import NO_CALLS
from cartulary.notation import AnyGame, NotationError, draw
from cartulary.notation.arbiter.replay import read_word, step_of, write_word
from cartulary.notation.contract import TouchEnds, WordForm, no_form, no_path
from cartulary.testing.game import HeldGame, long_search, looks, only_for
from cartulary.testing.positions import sample_positions, some

STEPS = 60
"""The most steps in which a word is put together."""


def tapped_words(game: AnyGame, state: Any, seat: int, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that come of tapping a path: those of the things, places and ends touched, or the path as it is.

    A key at its end, which is no item of the drawing, is added to the word.
    """
    targets = game.words.touch.targets(state, seat)
    if not targets.things:
        return ("".join(path),)
    items = {item.id for item in draw(game.words, state, seat).items}
    places = [item for item in path[1:] if item in items]
    key = "".join(item for item in path[1:] if item not in items)
    words = [thing.word for thing in targets.things if thing.item == path[0]]
    between = [place.word for place in targets.places if place.item == places[-2]] if len(places) > 1 else [""]
    if isinstance(targets.ends, TouchEnds) and places:
        begun = [word + place for word in words for place in between if word + place in targets.ends.beginnings]
        ends = [end.word for end in targets.ends.things if end.item == places[-1]]
        if begun and ends:
            return tuple(word + end + key for word in begun for end in ends)
    if places:
        words = [word + place.word for word in words for place in targets.places if place.item == places[-1]]
    return tuple(word + key for word in words)


def form_words(form: WordForm, random: Random, times: int) -> Iterator[str]:
    """Yield words that are put together step by step at random, as far as they come to an end."""
    for _ in range(times):
        node, word, cards = "start", "", set[str]()
        for _ in range(STEPS):
            free = {
                name: [thing for thing in things if not form.once or thing.word not in cards]
                for name, things in form.groups.items()
            }
            branches = [each for each in form.nodes.get(node, ()) if not each.group or free[each.group]]
            if node in form.ends and (not branches or random.random() < 0.4):
                yield word
                break
            if not branches:
                break
            branch = random.choice(branches)
            thing = random.choice(free[branch.group]) if branch.group else None
            word += branch.text + (thing.word if thing else "") + branch.after
            cards |= {thing.word} if thing else set()
            node = (thing.next_node if thing else "") or branch.next_node
            if not node:
                yield word
                break


def makes(form: WordForm, word: str, node: str = "start") -> bool:
    """Say whether a form can put a word together, or what is left of one from some node on."""
    if not word and node in form.ends:
        return True
    for branch in form.nodes.get(node, ()):
        begun = word.startswith(branch.text)
        for thing in form.groups[branch.group] if branch.group else (None,):
            text = branch.text + (thing.word if thing else "") + branch.after
            following = (thing.next_node if thing else "") or branch.next_node
            if not begun or not word.startswith(text) or (not text and following == node):
                continue
            rest = word[len(text) :]
            if makes(form, rest, following) if following else not rest:
                return True
    return False


class TapLaws(HeldGame):
    """What is tapped, and what comes of it."""

    @long_search
    @only_for(lambda game: game.words.touch.path is not no_path)
    def test_what_is_tapped_for_a_move_is_the_word_of_that_move(self) -> None:
        """Check that the taps of a legal move belong to no other one, and that the word they give is read as the move.

        All but the last tap must be on the drawing.
        """
        game, taps = self.game(), 0
        positions = list(sample_positions(type(self)).items())
        for state, seats in some(positions, Random(f"taps of {self.key}"), looks(60)):
            moves = dict[tuple[int, tuple[str, ...]], Any]()
            for move in list(legal_moves(game, state))[:60]:
                path = game.words.touch.path(move, state)
                if not path:
                    continue
                taps += 1
                text = write_word(game, move, state)
                lost = {*path[:-1]} - {item.id for item in draw(game.words, state, move.seat).items}
                assert lost == set(), f"{sorted(lost)} are tapped for {text} and not drawn"
                other = moves.setdefault((move.seat, path), move)
                assert other == move, f"{path} is tapped for {text} and for {write_word(game, other, state)}"
                read = list[Any]()
                for word in tapped_words(game, state, move.seat, path):
                    try:
                        move_of_word = read_word(game, state, f"p{move.seat}/{word}" if move.seat else word, seats)
                    except NotationError as fault:
                        raise AssertionError(f"{path} is tapped for {text}, and gives {word}: {fault}") from fault
                    read.append(game.rules.play(state, move_of_word).move)
                assert move in read, f"{path} is tapped for {text}, and gives another move: {read}"
        assert taps, "no legal move of the samples is tapped"

    @long_search
    @only_for(lambda game: game.words.touch.form is not no_form)
    def test_legal_words_are_put_together_by_taps_and_can_be_read(self) -> None:
        """Check that ``Touch.form`` can put every legal word together, and that most words it makes can be read."""
        game, random, read, errors = self.game(), Random(f"forms of {self.key}"), 0, list[str]()
        positions = list(sample_positions(type(self)).items())
        for state, seats in some(positions, random, looks(60)):
            forms = {seat: game.words.touch.form(state, seat) for seat in range(seats + 1)}
            for move in list(legal_moves(game, state))[:40]:
                text = write_word(game, move, state)
                made = makes(forms[move.seat], text) or makes(forms[move.seat], text.partition("/")[2])
                assert made, f"no taps put {text} together"
            for seat in range(seats + 1):
                for word in form_words(forms[seat], random, 2):
                    plain = seat in (0, game.turns.first(state)) or word.partition("/")[1]
                    error = step_of(game, state, word if plain else f"p{seat}/{word}", seats, NO_CALLS, 1).error
                    read += error is None
                    errors += [f"{word}: {error}"] if error else []
        assert read > 4 * len(errors), f"{read} words can be read, but not these: {errors[:5]}"
