"""CGN: reading and writing score sheets, and joining them to the rules."""

from cartulary.notation.arbiter.canonical import canonical
from cartulary.notation.arbiter.examine import Examination, examine
from cartulary.notation.arbiter.files import (
    dump,
    dump_all,
    dumps,
    format_record,
    load,
    load_all,
    load_range,
    loads,
)
from cartulary.notation.arbiter.finding import Finding, Report
from cartulary.notation.arbiter.heading import Heading, read_heading
from cartulary.notation.arbiter.legal import judged_words, legal_words, playable_words, touched_items
from cartulary.notation.arbiter.other_format import format_in
from cartulary.notation.arbiter.replay import Step, replay, steps
from cartulary.notation.arbiter.seen import as_seen
from cartulary.notation.arbiter.story import LaterPly, Story, story
from cartulary.notation.cgn.record import Line, NotationError, Note, Problem, Record
from cartulary.notation.cgn.result import format_result
from cartulary.notation.cgn.scanner import Source
from cartulary.notation.contract import About, AnyGame, Game, Points, SheetTags, Words
from cartulary.notation.drawing import Drawing, Item, draw
from cartulary.notation.guide import Entry, Example, FirstGame, Guide, GuideFault, Primer, guide_beside, read_guide
from cartulary.notation.restore.nearest import Change, Nearest, NearGame, restore, restored_record
from cartulary.notation.roster import GAMES, find_game

__all__ = [
    "GAMES",
    "About",
    "AnyGame",
    "Change",
    "Drawing",
    "Entry",
    "Examination",
    "Example",
    "Finding",
    "FirstGame",
    "Game",
    "Guide",
    "GuideFault",
    "Heading",
    "Item",
    "LaterPly",
    "Line",
    "NearGame",
    "Nearest",
    "NotationError",
    "Note",
    "Points",
    "Primer",
    "Problem",
    "Record",
    "Report",
    "SheetTags",
    "Source",
    "Step",
    "Story",
    "Words",
    "as_seen",
    "canonical",
    "draw",
    "dump",
    "dump_all",
    "dumps",
    "examine",
    "find_game",
    "format_in",
    "format_record",
    "format_result",
    "guide_beside",
    "judged_words",
    "legal_words",
    "load",
    "load_all",
    "load_range",
    "loads",
    "playable_words",
    "read_guide",
    "read_heading",
    "replay",
    "restore",
    "restored_record",
    "steps",
    "story",
    "touched_items",
]
