"""Offers of a draw at the board, by whom and to whom."""

from cartulary.notation import examine, loads


def test_who_agrees_to_the_own_offer_is_told_whose_it_is() -> None:
    [record] = loads('[Game "Chess"]\n\n1. e4 e5 2. Nf3 Nc6 Draw Agree *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert found.because == "The open offer is p1's own; another seat must agree to it, as p2/Agree"
    [record] = loads('[Game "Chess"]\n\n1. e4 e5 2. Nf3 Nc6 Agree *\n')
    [found] = (one for one in examine(record).report.findings if one.severity == "error")
    assert found.because == "There is no open offer of a draw"
