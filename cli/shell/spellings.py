"""Names that differ from known ones in capitals, accents or one letter alone: a person is asked, never overruled."""

import sys
from collections.abc import Collection, Iterable, Set
from contextlib import suppress

import typer

from cartulary.cli.shell.console import say, terminal
from cartulary.notation import NotationError, find_game
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api
from cartulary.records.texts import one_spelling

_MOST = 10
"""How many names are listed at most."""


def ask_spellings(
    store: "api.Log", names: Iterable[str], others: Iterable[str] = (), old_names: Collection[str] = ()
) -> tuple[dict[str, str], dict[str, str]]:
    """Look for typed names that resemble known ones, and ask at a terminal whether they are the same people.

    Args:
        store: The log.
        names: The names as they were typed.
        others: Names that are known although no record has them.
        old_names: Names that are corrected, as ``similar_names`` has them.

    Returns:
        By typed name, the known one that is to be written for it; and, if nobody can be asked, the known one that it
        resembles.
    """
    similar = api.similar_names(store, names, others, old_names)
    if not (similar and terminal(sys.stdin) and terminal(sys.stderr)):
        return {}, similar
    pairs = {(one_spelling(name), known_name) for name, known_name in similar.items()}
    same = {name for name, known_name in sorted(pairs) if is_same_player(name, known_name)}
    return {name: other for name, other in similar.items() if one_spelling(name) in same}, {}


def is_same_player(name: str, known_name: str) -> bool:
    """Ask the person at the terminal whether a new name is the player of this name in the archive; Enter means yes."""
    return bool(typer.confirm(f"{name} is new here; is it the {known_name} of other games?", default=True, err=True))


def ask_title(store: "api.Log", title: str) -> tuple[str, str]:
    """Look for a game that a new name is like, and ask at a terminal whether it is meant.

    Args:
        store: The log.
        title: The name as it was typed.

    Returns:
        The name that is to be written, which is the known one if the person says so; and the known one that it is like,
        if there is one and nobody can be asked, else an empty text.
    """
    title = api.meant_title(store, " ".join(title.split()))
    is_unknown = bool(title) and api.is_unknown_title(store, title) and not api.meant_variant(store, title)[1]
    near = api.near_titles(store, title)[:1] if is_unknown else []
    if not near:
        return title, ""
    if not (terminal(sys.stdin) and terminal(sys.stderr)):
        return title, near[0]
    meant = typer.confirm(f"{title} is new here; did you mean {near[0]}?", default=True, err=True)
    return near[0] if meant else title, ""


def say_near_title(id: str, title: str, near: str) -> None:
    """Say that the new name of a recorded game is like a known one, and how to correct it.

    Args:
        id: The record.
        title: The new name.
        near: The known one.
    """
    correct = f"`tag {id} " + (f"Game={near}`" if near.isalnum() else f"'Game={near}'`")
    with suppress(NotationError):
        find_game(near)
        correct = f"set it aside with `aside {id}`, and enter it again"
    say(f"cartulary: {isolate(title)} is new here; did you mean {isolate(near)}? If so: {correct}.")


def say_new_spellings(store: "api.Log", before: Set[str]) -> None:
    """Say which names that came into the archive resemble others there.

    Args:
        store: The log.
        before: The names that were there before.
    """
    similar = api.new_spellings(store, before)
    for name, known_name in similar[:_MOST]:
        say_similar(name, known_name, f'`people merge "{name}" "{known_name}"`')
    if len(similar) > _MOST:
        say(f"cartulary: {len(similar) - _MOST} more new names resemble others; `people` lists everybody.")


def say_similar(name: str, known_name: str, advice: str) -> None:
    """Report that a name resembles a known one, and what to do if both are one player.

    Args:
        name: The new name.
        known_name: The name in the archive.
        advice: What to do, as the end of a sentence, without its full stop.
    """
    sentence = f"{isolate(name)} is new here; other games have {isolate(known_name)}"
    say(f"cartulary: {sentence}. If that is one player: {advice}.")
