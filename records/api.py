"""The Python API: one function for each thing a person can ask of records, with its request and its answer.

Every function on live records takes the store first. In a request, ``by`` names the writer; ``command`` is an id that
makes a repeated request harmless, because it gets the first answer again and nothing is stored twice; ``expected`` is
the version of the game that the writer has seen. ``viewer`` says from whose view to answer. All functions raise the
faults of ``records.faults``; what the rules say is no exception but part of the answer.

What is given no log, such as a line that says something or a check of a text, is imported from its own module. Each
name here is imported from its module when it is first used, so listing games need not wait for signatures.
"""

import re
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cartulary.records.answers import AmendAnswer as AmendAnswer
    from cartulary.records.answers import ClockAnswer as ClockAnswer
    from cartulary.records.answers import CloseAnswer as CloseAnswer
    from cartulary.records.answers import LogLine as LogLine
    from cartulary.records.answers import NoteAnswer as NoteAnswer
    from cartulary.records.answers import OpenAnswer as OpenAnswer
    from cartulary.records.answers import RedoAnswer as RedoAnswer
    from cartulary.records.answers import TagAnswer as TagAnswer
    from cartulary.records.answers import UndoAnswer as UndoAnswer
    from cartulary.records.answers import WordAnswer as WordAnswer
    from cartulary.records.commands.agree import AgreeAnswer as AgreeAnswer
    from cartulary.records.commands.agree import AgreeRequest as AgreeRequest
    from cartulary.records.commands.agree import agree as agree
    from cartulary.records.commands.amend import AmendRequest as AmendRequest
    from cartulary.records.commands.amend import amend as amend
    from cartulary.records.commands.arrival import record_arrival as record_arrival
    from cartulary.records.commands.aside import AsideAnswer as AsideAnswer
    from cartulary.records.commands.aside import AsideRequest as AsideRequest
    from cartulary.records.commands.aside import set_aside as set_aside
    from cartulary.records.commands.board import BoardAnswer as BoardAnswer
    from cartulary.records.commands.board import BoardRequest as BoardRequest
    from cartulary.records.commands.board import PresentBoard as PresentBoard
    from cartulary.records.commands.board import present_board as present_board
    from cartulary.records.commands.board import state_board as state_board
    from cartulary.records.commands.byes import ByeRequest as ByeRequest
    from cartulary.records.commands.byes import set_bye as set_bye
    from cartulary.records.commands.clock import ClockRequest as ClockRequest
    from cartulary.records.commands.clock import set_clock as set_clock
    from cartulary.records.commands.close import CloseRequest as CloseRequest
    from cartulary.records.commands.close import close as close
    from cartulary.records.commands.close_by_numbers import CloseByNumbersRequest as CloseByNumbersRequest
    from cartulary.records.commands.close_by_numbers import close_by_numbers as close_by_numbers
    from cartulary.records.commands.dispute import DisputeAnswer as DisputeAnswer
    from cartulary.records.commands.dispute import DisputeRequest as DisputeRequest
    from cartulary.records.commands.dispute import WithdrawRequest as WithdrawRequest
    from cartulary.records.commands.dispute import dispute as dispute
    from cartulary.records.commands.dispute import withdraw as withdraw
    from cartulary.records.commands.evening import OpenEveningRequest as OpenEveningRequest
    from cartulary.records.commands.evening import PresenceRequest as PresenceRequest
    from cartulary.records.commands.evening import SetTable as SetTable
    from cartulary.records.commands.evening import SetTableRequest as SetTableRequest
    from cartulary.records.commands.evening import open_evening as open_evening
    from cartulary.records.commands.evening import record_presence as record_presence
    from cartulary.records.commands.evening import set_table as set_table
    from cartulary.records.commands.evening_links import EveningLinksRequest as EveningLinksRequest
    from cartulary.records.commands.evening_links import make_evening_links as make_evening_links
    from cartulary.records.commands.games import DescribeRequest as DescribeRequest
    from cartulary.records.commands.games import describe_game as describe_game
    from cartulary.records.commands.house import HouseRequest as HouseRequest
    from cartulary.records.commands.house import WithdrawHouseRuleRequest as WithdrawHouseRuleRequest
    from cartulary.records.commands.house import add_house_rules as add_house_rules
    from cartulary.records.commands.house import withdraw_house_rule as withdraw_house_rule
    from cartulary.records.commands.links import LinksRequest as LinksRequest
    from cartulary.records.commands.links import MadeLink as MadeLink
    from cartulary.records.commands.links import RevokeRequest as RevokeRequest
    from cartulary.records.commands.links import make_links as make_links
    from cartulary.records.commands.links import revoke_link as revoke_link
    from cartulary.records.commands.links import take_up as take_up
    from cartulary.records.commands.move import WordsRequest as WordsRequest
    from cartulary.records.commands.move import play as play
    from cartulary.records.commands.move import would_stand as would_stand
    from cartulary.records.commands.new import NewRequest as NewRequest
    from cartulary.records.commands.new import TablePlan as TablePlan
    from cartulary.records.commands.new import open_game as open_game
    from cartulary.records.commands.new import opening_of as opening_of
    from cartulary.records.commands.new import plan as plan
    from cartulary.records.commands.next_round import NextRoundRequest as NextRoundRequest
    from cartulary.records.commands.next_round import set_next_round as set_next_round
    from cartulary.records.commands.note import NoteRequest as NoteRequest
    from cartulary.records.commands.note import annotate as annotate
    from cartulary.records.commands.pad import RoundAnswer as RoundAnswer
    from cartulary.records.commands.pad import RoundForm as RoundForm
    from cartulary.records.commands.pad import RoundRequest as RoundRequest
    from cartulary.records.commands.pad import play_round as play_round
    from cartulary.records.commands.pad import round_form as round_form
    from cartulary.records.commands.people import MergeRequest as MergeRequest
    from cartulary.records.commands.people import RenameRequest as RenameRequest
    from cartulary.records.commands.people import SplitRequest as SplitRequest
    from cartulary.records.commands.people import merge_people as merge_people
    from cartulary.records.commands.people import rename_person as rename_person
    from cartulary.records.commands.people import split_person as split_person
    from cartulary.records.commands.redo import RedoRequest as RedoRequest
    from cartulary.records.commands.redo import redo as redo
    from cartulary.records.commands.reopen import ReopenRequest as ReopenRequest
    from cartulary.records.commands.reopen import reopen as reopen
    from cartulary.records.commands.request import Request as Request
    from cartulary.records.commands.restore import RestoredGame as RestoredGame
    from cartulary.records.commands.restore import RestoreRequest as RestoreRequest
    from cartulary.records.commands.restore import restore as restore
    from cartulary.records.commands.result import RecordedResult as RecordedResult
    from cartulary.records.commands.result import ResultRequest as ResultRequest
    from cartulary.records.commands.result import opening_of_result as opening_of_result
    from cartulary.records.commands.result import record_result as record_result
    from cartulary.records.commands.reveal import RevealAnswer as RevealAnswer
    from cartulary.records.commands.reveal import RevealRequest as RevealRequest
    from cartulary.records.commands.reveal import reveal as reveal
    from cartulary.records.commands.ruling import RulingAnswer as RulingAnswer
    from cartulary.records.commands.ruling import RulingRequest as RulingRequest
    from cartulary.records.commands.ruling import rule as rule
    from cartulary.records.commands.seat import SeatAnswer as SeatAnswer
    from cartulary.records.commands.seat import SeatRequest as SeatRequest
    from cartulary.records.commands.seat import seat_player as seat_player
    from cartulary.records.commands.tag import TagRequest as TagRequest
    from cartulary.records.commands.tag import change_tags as change_tags
    from cartulary.records.commands.tried_words import judge_words as judge_words
    from cartulary.records.commands.typed import JudgedWords as JudgedWords
    from cartulary.records.commands.typed import typed_words as typed_words
    from cartulary.records.commands.undo import UndoRequest as UndoRequest
    from cartulary.records.commands.undo import take_back as take_back
    from cartulary.records.exchange.archive import Archive as Archive
    from cartulary.records.exchange.archive import ImportedArchive as ImportedArchive
    from cartulary.records.exchange.archive import export_json as export_json
    from cartulary.records.exchange.archive import read_archive as read_archive
    from cartulary.records.exchange.archive import take_in as take_in
    from cartulary.records.exchange.archive import take_in_all as take_in_all
    from cartulary.records.exchange.archive import verify_archive as verify_archive
    from cartulary.records.exchange.asides import export_asides as export_asides
    from cartulary.records.exchange.asides import is_evening as is_evening
    from cartulary.records.exchange.asides import take_in_aside as take_in_aside
    from cartulary.records.exchange.backup import back_up as back_up
    from cartulary.records.exchange.backup import write_back as write_back
    from cartulary.records.exchange.cgn import DraftedSheet as DraftedSheet
    from cartulary.records.exchange.cgn import ImportedGame as ImportedGame
    from cartulary.records.exchange.cgn import export_cgn as export_cgn
    from cartulary.records.exchange.cgn import import_records as import_records
    from cartulary.records.exchange.cgn import record_of as record_of
    from cartulary.records.exchange.cgn import take_sheets as take_sheets
    from cartulary.records.exchange.nameless import Nameless as Nameless
    from cartulary.records.exchange.parquet import export_parquet as export_parquet
    from cartulary.records.exchange.redaction import RedactedLog as RedactedLog
    from cartulary.records.exchange.redaction import export_redacted as export_redacted
    from cartulary.records.exchange.results import take_results as take_results
    from cartulary.records.exchange.results_csv import write_table as write_table
    from cartulary.records.exchange.second_sheet import SheetAnswer as SheetAnswer
    from cartulary.records.exchange.second_sheet import keep_sheet as keep_sheet
    from cartulary.records.exchange.sqlite import publish as publish
    from cartulary.records.exchange.tournament import TournamentAnswer as TournamentAnswer
    from cartulary.records.exchange.tournament import take_tournament as take_tournament
    from cartulary.records.exchange.tournament import tournament_report as tournament_report
    from cartulary.records.exchange.unknown_game import described_titles as described_titles
    from cartulary.records.library.duplicates import Pair as Pair
    from cartulary.records.library.duplicates import duplicates as duplicates
    from cartulary.records.library.evenings import EveningOverview as EveningOverview
    from cartulary.records.library.evenings import evening_overview as evening_overview
    from cartulary.records.library.evenings import standing_of as standing_of
    from cartulary.records.library.explorer import explore as explore
    from cartulary.records.library.explorer import games_after as games_after
    from cartulary.records.library.final_scores import SeatScore as SeatScore
    from cartulary.records.library.final_scores import final_scores as final_scores
    from cartulary.records.library.listing import ListedGame as ListedGame
    from cartulary.records.library.listing import games as games
    from cartulary.records.library.opening import open_store as open_store
    from cartulary.records.library.people import PersonGame as PersonGame
    from cartulary.records.library.people import games_of_person as games_of_person
    from cartulary.records.library.people import list_people as list_people
    from cartulary.records.library.people import names_in as names_in
    from cartulary.records.library.people import new_spellings as new_spellings
    from cartulary.records.library.people import person_named as person_named
    from cartulary.records.library.people import similar_names as similar_names
    from cartulary.records.library.positions import find_position as find_position
    from cartulary.records.library.reindex import reindex as reindex
    from cartulary.records.library.revalidate import Revalidation as Revalidation
    from cartulary.records.library.revalidate import revalidate as revalidate
    from cartulary.records.library.search import Hit as Hit
    from cartulary.records.library.search import Query as Query
    from cartulary.records.library.search import ids as ids
    from cartulary.records.library.search import search as search
    from cartulary.records.library.standings import Standings as Standings
    from cartulary.records.library.standings import standings as standings
    from cartulary.records.library.standings_table import standings_choices as standings_choices
    from cartulary.records.library.stats import Tally as Tally
    from cartulary.records.library.stats import tally as tally
    from cartulary.records.library.titles import game_titles as game_titles
    from cartulary.records.library.titles import is_unknown_title as is_unknown_title
    from cartulary.records.library.titles import meant_title as meant_title
    from cartulary.records.library.titles import meant_variant as meant_variant
    from cartulary.records.library.titles import near_titles as near_titles
    from cartulary.records.library.titles import recorded_titles as recorded_titles
    from cartulary.records.log.chain import Head as Head
    from cartulary.records.log.contract import Log as Log
    from cartulary.records.log.proof import Proof as Proof
    from cartulary.records.log.proof import verify as verify
    from cartulary.records.log.proof import verify_all as verify_all
    from cartulary.records.log.server import Server as Server
    from cartulary.records.log.server import place_of as place_of
    from cartulary.records.log.store import Store as Store
    from cartulary.records.sheets.html import html as html
    from cartulary.records.sheets.pdf import pdf as pdf
    from cartulary.records.sheets.pixels import png as png
    from cartulary.records.sheets.replay_frames import ReplaySource as ReplaySource
    from cartulary.records.sheets.replay_page import replay_page as replay_page
    from cartulary.records.sheets.score_sheet import ScoreSheet as ScoreSheet
    from cartulary.records.sheets.score_sheet import score_sheet as score_sheet
    from cartulary.records.sheets.web_folder import write_pages as write_pages
    from cartulary.records.state.described_games import DescribedGame as DescribedGame
    from cartulary.records.state.described_games import described_games as described_games
    from cartulary.records.state.described_games import description_tags as description_tags
    from cartulary.records.state.disputes_and_rulings import disputes_of as disputes_of
    from cartulary.records.state.disputes_and_rulings import rulings_of as rulings_of
    from cartulary.records.state.docket import PlacedDispute as PlacedDispute
    from cartulary.records.state.docket import PlacedRuling as PlacedRuling
    from cartulary.records.state.evening_seats import load_seats as load_seats
    from cartulary.records.state.evening_seats import next_seats as next_seats
    from cartulary.records.state.evenings import ClubEvening as ClubEvening
    from cartulary.records.state.evenings import evening_of as evening_of
    from cartulary.records.state.evenings import evenings as evenings
    from cartulary.records.state.fold import LiveGame as LiveGame
    from cartulary.records.state.games import Games as Games
    from cartulary.records.state.games import load as load
    from cartulary.records.state.house_rules import house_rules as house_rules
    from cartulary.records.state.links import Link as Link
    from cartulary.records.state.links import Links as Links
    from cartulary.records.state.links import links_of as links_of
    from cartulary.records.state.links import seat_links as seat_links
    from cartulary.records.state.log_lines import log as log
    from cartulary.records.state.people import People as People
    from cartulary.records.state.people import people_of as people_of
    from cartulary.records.state.seen_game import DocketText as DocketText
    from cartulary.records.state.seen_game import SeenGame as SeenGame
    from cartulary.records.state.showing import DocketEntries as DocketEntries
    from cartulary.records.state.showing import docket_entries as docket_entries
    from cartulary.records.state.showing import docket_on_paper as docket_on_paper
    from cartulary.records.state.showing import kept_sheet as kept_sheet
    from cartulary.records.state.showing import see_game as see_game
    from cartulary.records.table.at_table import View as View
    from cartulary.records.table.at_table import read_view as read_view
    from cartulary.records.table.at_table import view_of as view_of
else:
    # Each name is written once, in the block above, which only type checkers import: it says where the name stands.
    _SOURCE = __spec__.loader.get_source(__name__)
    _WHERE = {name: place for place, name in re.findall(r"from cartulary\.records\.([\w.]+) import (\w+) as", _SOURCE)}
    __all__ = tuple(_WHERE)

    def __getattr__(name: str) -> object:
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"cartulary.records.{_WHERE[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
