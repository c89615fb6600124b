"""Entering a round as its score: a deal of which nobody wrote the cards, or a round of a game without rules."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Finding
from cartulary.notation.contract import RoundField
from cartulary.notation.guide import loosely
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.commands.amend import AmendRequest, amended_game
from cartulary.records.commands.move import WordsRequest, play
from cartulary.records.commands.request import GameRequest, Stands, field
from cartulary.records.commands.seat import SeatRequest, seat_player
from cartulary.records.commands.tag import TagRequest, change_tags
from cartulary.records.commands.tried_words import try_words
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.state.evening_seats import next_seats
from cartulary.records.state.fold import LiveGame, played_game, verdict_without_findings
from cartulary.records.state.games import load
from cartulary.records.state.people import NOBODY_MERGED, People, people_of
from cartulary.records.state.rounds import word_of_round
from cartulary.records.state.seat_view import players
from cartulary.records.texts import keepable


class RoundRequest(GameRequest, frozen=True):
    """A round to be entered.

    Attributes:
        answers: By the names of the fields of ``round_form``, what was entered; an empty answer was not given.
        stands: Whether a round that the rules refuse is stored all the same, marked.
        ply: The ply of an earlier round that is corrected; 0 enters the next round.
        sits_out: Who sits out in this round, where more people are at a table of an evening than it has seats; empty
            for whoever comes next around the table. In a correction nobody changes places.
    """

    answers: Annotated[Mapping[str, str], field("What was scored, field by field.", "NAME=VALUE…")]
    stands: Stands = False
    ply: Annotated[int, field("The ply of an earlier round to correct; 0 enters the next one.", "PLY")] = 0
    sits_out: Annotated[
        str, field("Who sits out, where more people are at the table than seats; by default whoever is next.", "NAME")
    ] = ""


class RoundForm(Struct, frozen=True):
    """What is to be entered for the next round.

    Attributes:
        fields: The fields, in their order; empty if no round can be entered now.
        players: The names in seat order.
        score: The running score as in the tag Score; empty if there is none.
        rounds: What each round came to, in their order, for a person.
        gains: What each seat won in each round, in their order; empty for a round of which it is not known.
        plies: The ply of each round.
        answers: What each round was entered with, by the names of the fields; empty for one that was not entered so.
        correcting: The fields by which the rounds can be corrected; empty if none can be, such as in a closed game.
    """

    fields: tuple[RoundField, ...]
    players: tuple[str, ...]
    score: str
    rounds: tuple[str, ...]
    gains: tuple[tuple[str, ...], ...] = ()
    plies: tuple[int, ...] = ()
    answers: tuple[dict[str, str], ...] = ()
    correcting: tuple[RoundField, ...] = ()


class RoundAnswer(Struct, frozen=True):
    """What came of a round.

    Attributes:
        id: The id of the game.
        version: Its version.
        ply: The ply of the word.
        word: The word that was written.
        verdict: ``legal``, ``unjudged`` or ``refused``; ``quiet`` if it is withheld from the writer.
        findings: What the rules found.
        explanation: How the points of the round come about, and the running score; empty if it was refused. A request
            that stores nothing gets it too.
        score: The running score as in the tag Score.
    """

    id: str
    version: int
    ply: int
    word: str
    verdict: str
    findings: tuple[Finding, ...]
    explanation: str
    score: str


def round_form(game: LiveGame, people: People = NOBODY_MERGED) -> RoundForm:
    """Return what is to be entered for the next round of a game.

    Args:
        game: The game.
        people: The people of the archive, under whose names the players are shown.

    Returns:
        The fields to be entered, and the rounds so far. It has no fields if no round can be entered now, such as in a
        closed game.

    Raises:
        Declined: Rounds of this game are not entered as their score.
    """
    rules, state = played_game(game), game.examined.settled_state
    plies = [ply for ply in range(1, game.plies_reached + 1) if explain_round(game, ply)]
    rounds = tuple(explain_round(game, ply) for ply in plies)
    fields = () if game.book.closed else rules.rounds.fields(state)
    if not fields and not rounds:
        start = game.examined.walk.steps[0].state if game.examined.steps and game.examined.walk else state
        if not rules.rounds.fields(start):
            raise Declined(
                f"Rounds of {rules.about.title} are not entered as their score here; write the moves with `move`, or "
                "describe the game with rounds: `games add FILE`."
            )
    score = rules.points.write(state).get("Score", "")
    entered = tuple(rules.rounds.answers(game.examined.steps[ply - 1].result.move) for ply in plies)
    last = max(
        (ply for ply, answers in zip(plies, entered, strict=True) if answers and not game.book.closed), default=0
    )
    correcting = rules.rounds.fields(game.examined.steps[last - 1].state) if last else ()
    return RoundForm(
        fields,
        players(game.record, people),
        score,
        rounds,
        tuple(_gains(game, ply) for ply in plies),
        tuple(plies),
        entered,
        correcting,
    )


def explain_round(game: LiveGame, ply: int) -> str:
    """Return what a ply of the table brought, as a sentence with the running score.

    A ply of the table is one that no seat speaks, such as a round entered as its score. The text is empty for any other
    ply, and for one that brought no points.

    Args:
        game: The game.
        ply: The ply, from 1; it must have been judged.
    """
    if game.examined.spoke[ply - 1]:
        return ""
    step = game.examined.steps[ply - 1]
    after: Any = step.result.after
    return played_game(game).words.came_of(step.state, step.result.move, after) if after is not None else ""


def _gains(game: LiveGame, ply: int) -> tuple[str, ...]:
    """Return what each seat won by a ply of the table, in seat order; empty if it is not known.

    An example is ``("88", "-88")``.
    """
    step = game.examined.steps[ply - 1]
    after: Any = step.result.after
    gains = played_game(game).points.gains(step.state, after) if after is not None else None
    return tuple(map(str, gains or ()))


def play_round(store: Log, id: str, request: RoundRequest, viewer: Viewer = EVERYTHING) -> RoundAnswer:
    """Enter a round as its score, or correct one; it is judged by the rules of the game, as far as there are any.

    Where more people are at a table of an evening than it has seats, whoever sat out before sits down first, in place
    of who sits out now.

    Args:
        store: Where the game is kept.
        id: The game.
        request: What was scored.
        viewer: Who writes.

    Returns:
        The word that was written, what the rules say of it, and the score then. With ``dry``, nothing is stored.

    Raises:
        WrongAnswer: An answer cannot be, or one that is needed is missing; it names the field.
        Unfit: There is no such field, the command id cannot be kept, or who is to sit out is not at the table.
        Declined: No round can be entered now, or the ply that is to be corrected is no such round.
        Fault: As ``play`` says; for a correction, as ``amend`` says.
    """
    keepable(request.command, "The command id")
    game = load(store, id)
    if request.ply:
        return _correct_round(store, game, request, viewer)
    rules, state = played_game(game), game.examined.settled_state
    repeated = request.command in game.book.commands
    fields = () if game.book.closed else rules.rounds.fields(state)
    if not fields and not repeated:
        round_form(game)
        because = "it is closed" if game.book.closed else "its last round is over, or a deal is being written"
        raise Declined(f"No round of {id} can be entered now: {because}. Use `reopen` or `undo` to go on.")
    answers = _by_field(request.answers, fields)
    if not (repeated or request.dry):
        request = _seat_next(store, game, request, viewer)
        game = load(store, id)
    word = word_of_round(game, answers, _before(game, request.command), people_of(store).seen_by(viewer))
    words = WordsRequest(
        words=(word,),
        stands=request.stands,
        command=request.command,
        by=request.by,
        expected=request.expected,
        dry=request.dry,
    )
    [answer] = play(store, id, words, viewer)
    stored = answer.verdict != "refused" or request.stands
    now: LiveGame = load(store, id)
    if request.dry and stored:
        now = try_words(game, (word,), stands=request.stands).judged_game or now
    explanation = explain_round(now, answer.ply) if stored and answer.ply <= now.plies_reached else ""
    score = played_game(now).points.write(now.examined.settled_state).get("Score", "")
    return RoundAnswer(id, answer.version, answer.ply, word, answer.verdict, answer.findings, explanation, score)


def _seat_next(store: Log, game: LiveGame, request: RoundRequest, viewer: Viewer) -> RoundRequest:
    """Let whoever sat out sit down in place of who sits out in the next round.

    If nobody changes places, nothing is written.

    Returns:
        The request. If it expected a version of the game, it expects the one after this change.

    Raises:
        Unfit: Who is to sit out is not at the table, or nobody sits out there.
        Fault: As ``seat_player`` or ``change_tags`` says.
    """
    seats = next_seats(store, game, request.sits_out)
    if seats is None and request.sits_out:
        raise Unfit(
            f"Nobody sits out of {game.id}, which is at no table of an evening with more people than seats; leave this "
            "field out."
        )
    if seats is None or not seats.seat:
        return request
    more: dict[str, Any] = {"by": request.by, "expected": request.expected}
    more["command"] = request.command and f"{request.command}-out"
    place = f"p{seats.seat}"
    version = (
        seat_player(store, game.id, SeatRequest(place=place, player=seats.person, **more), viewer).version
        if game.plies
        else change_tags(store, game.id, TagRequest(tags={place: seats.person}, **more), viewer).version
    )
    return request if request.expected is None else replace(request, expected=version)


def _by_field(answers: Mapping[str, str], fields: tuple[RoundField, ...]) -> dict[str, str]:
    """Return answers by the names of the fields; given names may differ in capitals and the like.

    Without fields the names stay as they are.

    Raises:
        Unfit: There is no such field.
    """
    names = {loosely(each.name): each.name for each in fields}
    for name in answers:
        if fields and loosely(name) not in names:
            raise Unfit(f"There is no field {name}; expected one of: {', '.join(each.name for each in fields)}.")
    return {names.get(loosely(name), name): value for name, value in answers.items()}


def _correct_round(store: Log, game: LiveGame, request: RoundRequest, viewer: Viewer) -> RoundAnswer:
    """Correct the round at ``request.ply`` and return what came of it.

    Raises:
        Declined: The ply is no round that was entered as its score.
        Fault: As ``play_round`` says.
    """
    ply, rounds = request.ply, played_game(game).rounds
    step = game.examined.steps[ply - 1] if 0 < ply <= game.plies_reached else None
    if step is None or not rounds.answers(step.result.move):
        raise Declined(f"Ply {ply} of {game.id} is no round that was entered as its score; correct it with `amend`.")
    answers = _by_field(request.answers, rounds.fields(step.state))
    word = word_of_round(game, answers, step.state, people_of(store).seen_by(viewer))
    correction = AmendRequest(
        ply=ply,
        words=(word,),
        stands=request.stands,
        command=request.command,
        by=request.by,
        expected=request.expected,
        dry=request.dry,
    )
    answer, now = amended_game(store, game.id, correction, viewer)
    severities = {finding.severity for finding in answer.findings}
    verdict = "undecided" if "undecided" in severities else verdict_without_findings(now, ply)
    verdict = "refused" if "error" in severities else verdict
    explanation = explain_round(now, ply) if answer.stored and ply <= now.plies_reached else ""
    standing = now if answer.stored else game
    score = played_game(standing).points.write(standing.examined.settled_state).get("Score", "")
    return RoundAnswer(game.id, answer.version, ply, word, verdict, answer.findings, explanation, score)


def _before(game: LiveGame, command: str) -> Any:
    """Return the state of the game that a round is entered in.

    It is the present one; for a command that was given before, the one in which its round was entered then.

    Args:
        game: The game.
        command: The key of the command, empty for none.
    """
    written = game.book.commands.get(command) if command else None
    if written is None:
        return game.examined.settled_state
    at = next((ply for ply, entry in enumerate(game.book.plies, 1) if entry.ref[0] == written[0]), 0)
    return game.examined.steps[at - 1].state if at else game.examined.settled_state
