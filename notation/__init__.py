"""CGN: reading and writing score sheets, and joining them to the rules."""

from cartulary.notation.examine import Examined, Finding, Report, examine, legal_words
from cartulary.notation.reader import load, load_all, load_range, loads
from cartulary.notation.record import AnyMove, Line, NotationError, Note, Problem, Record, Source
from cartulary.notation.replay import Step, canonical, replay, steps
from cartulary.notation.roster import GAMES, Game, find_game
from cartulary.notation.sheet import Heading, format_result, read_heading
from cartulary.notation.writer import dump, dump_all, dumps, format_record

__all__ = [
    "GAMES",
    "AnyMove",
    "Examined",
    "Finding",
    "Game",
    "Heading",
    "Line",
    "NotationError",
    "Note",
    "Problem",
    "Record",
    "Report",
    "Source",
    "Step",
    "canonical",
    "dump",
    "dump_all",
    "dumps",
    "examine",
    "find_game",
    "format_record",
    "format_result",
    "legal_words",
    "load",
    "load_all",
    "load_range",
    "loads",
    "read_heading",
    "replay",
    "steps",
]
