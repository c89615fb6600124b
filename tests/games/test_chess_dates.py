"""What a sheet of chess says of its end: the rule that ended the game, and a date there is."""

import pytest

from cartulary.notation import examine, loads
from cartulary.notation.arbiter.heading import is_date

MATE = '[Game "Chess"]\n[Result "1-0"]\n[Date "{}"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n'


def test_a_result_against_the_moves_cites_the_rule_that_ended_the_game() -> None:
    [record] = loads(MATE.format("2026.11.22"))
    found = examine(record).report.findings
    assert [(one.key, one.source) for one in found] == [("record.result", "FIDE 5.1.1")] * 2
    [called] = loads('[Game "Chess"]\n\n1. e4 Timeout 0-1\n')
    [one] = (each for each in examine(called).report.findings if each.key == "record.result")
    assert (one.source, one.rule) != ("", "")


@pytest.mark.parametrize("date", ["2025.13.45", "yesterday", "2026.02.30", "2026-11-22", "0000.01.01", "2026.??"])
def test_a_date_there_is_not_is_remarked_on(date: str) -> None:
    [record] = loads(MATE.format(date))
    assert [one.severity for one in examine(record).report.findings if one.key == "record.tag"] == ["remark"]


@pytest.mark.parametrize("date", ["2026.11.22", "2026.??.??", "????.??.??", "2024.02.29", "????.02.29", "19??.??.??"])
def test_a_date_there_is_as_far_as_it_is_known_is_none(date: str) -> None:
    assert is_date(date)
