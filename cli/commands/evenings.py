"""``evenings``: lists the evenings of the archive."""

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json
from cartulary.notation.cgn.controls import isolate
from cartulary.records import api


def command(json: Json = False, db: Db = None) -> None:
    """List the evenings, in the order in which they were opened: date, place, rounds, tables and persons.

    \b
    Example:
      cartulary evenings
    """
    with open_log(db) as store:
        for evening in api.evenings(store):
            persons = dict.fromkeys((*evening.present, *(each for table in evening.tables for each in table.persons)))
            numbers = {"rounds": evening.last_round, "tables": len(evening.tables), "persons": len(persons)}
            if json:
                put_json({"evening": evening.title, "date": evening.date, "place": evening.place} | numbers)
                continue
            where = f", {evening.place}" if evening.place else ""
            counts = ", ".join(count(number, name.removesuffix("s")) for name, number in numbers.items())
            put(f"{isolate(evening.title)}: {evening.date}{where}; {counts}")
