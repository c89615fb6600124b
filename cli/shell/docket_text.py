"""What the views say of disputes and rulings, as it is printed."""

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import wrapped
from cartulary.notation import Record
from cartulary.records import desk


def put_docket(docket: "desk.DocketText", indent: str = "") -> None:
    """Write one paragraph each."""
    for text in docket.texts():
        for line in wrapped(indent + text, indent + "    "):
            put(line)


def docket_of(whole: Record, seat: int | None) -> "desk.DocketText":
    """Return what the comments of a score sheet tell of, as a seat may read it. whole: the record as it was read"""
    noted = any("[%" in comment for note in whole.line.notes.values() for comment in note.comments)
    return desk.docket_on_paper(whole, seat) if noted or not whole.line.words else desk.DocketText()
