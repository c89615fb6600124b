"""CGN: reading and writing score sheets, and joining them to the rules."""

from cartulary.notation.examine import examine
from cartulary.notation.finding import Examined, Finding, Report
from cartulary.notation.reader import load, load_all, load_range, loads
from cartulary.notation.record import AnyMove, Line, NotationError, Note, Problem, Record
from cartulary.notation.replay import Step, canonical, replay, steps
from cartulary.notation.result import format_result
from cartulary.notation.roster import GAMES, Game, find_game
from cartulary.notation.seen import as_seen
from cartulary.notation.sheet import Heading, read_heading
from cartulary.notation.source import Source
from cartulary.notation.story import Story, Told, story
from cartulary.notation.walk import judged_words, legal_words
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
    "Story",
    "Told",
    "as_seen",
    "canonical",
    "dump",
    "dump_all",
    "dumps",
    "examine",
    "find_game",
    "format_record",
    "format_result",
    "judged_words",
    "legal_words",
    "load",
    "load_all",
    "load_range",
    "loads",
    "read_heading",
    "replay",
    "steps",
    "story",
]
