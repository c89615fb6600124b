"""``verify``: proves records, archives and score sheets to be what was written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, INTEGRITY, USAGE, fail, leave, put, put_json, say
from cartulary.cli.shell.findings import count, wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import Db, Json, SeatOf, viewer_of
from cartulary.cli.shell.places import suggestion_for
from cartulary.cli.shell.signatures import SignatureChecks
from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.exchange.cgn import heads_in
from cartulary.records.exchange.from_sqlite import is_published, read_published
from cartulary.records.exchange.manifest import check_against, missing
from cartulary.records.faults import Declined, Unfit, UnknownGame, printable_id


def command(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="ID|FILE…", help="Live records, JSON archives, exported score sheets.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Verify every game of the database, and the file itself.")
    ] = False,
    head: Annotated[
        str, typer.Option("--head", metavar="VERSION:DIGEST", help="A head noted earlier, as on a sheet or an export.")
    ] = "",
    signers: Annotated[
        Path | None,
        typer.Option(
            "--signers", metavar="FILE", help="A file that says who may sign: allowed signers, or a public key."
        ),
    ] = None,
    signer: Annotated[str, typer.Option("--signer", metavar="NAME", help="The signer who must have signed.")] = "",
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", metavar="FILE", help="The signed manifest to check a redacted copy against."),
    ] = None,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Prove that records are what was written, by following the chain of digests to the head.

    With --signers FILE, an archive must also be signed by one of the signers in FILE. You are shown what this proves
    about an archive, and what it does not. Exits with 3 when an event was changed, dropped, swapped or cut off, or a
    signature does not hold. Any other games are still proved.

    \b
    Example:
      cartulary verify evening
    """
    expected_head = _head(head) if head else None
    if bool(what) == all_ or (expected_head and (all_ or len(what or []) != 1)):
        fail("Name records or files to verify, or give --all; if you give --head, name exactly one.")
    if (signer or manifest) and not signers:
        fail("--signer and --manifest need --signers, which says who may sign.")
    if signers and not all(Path(name).is_file() for name in what or [""]):
        fail("--signers needs files: name archives, which are signed; live records are not.")
    checks = SignatureChecks(signers, signer, manifest) if signers else None
    prover = _Prover(expected_head, checks, json, db, viewer_of(seat))
    prover.prove(what or [])
    leave(prover.code)


def _head(text: str) -> "api.Head":
    """Return a head, the number and digest of a game's last event, typed as ``VERSION:DIGEST``.

    The program ends for anything else. Capital letters in the digest are taken too.
    """
    version, _, digest = text.partition(":")
    if not (version.isascii() and version.isdigit() and len(version) < 18 and len(digest) == 64):
        fail(f"{text!r} is not a head; expected VERSION:DIGEST with 64 hexadecimal digits, as `log` prints it.")
    return api.Head(int(version), digest.lower())


class _Prover:
    """Proves what was named, prints the outcomes and counts them.

    Attributes:
        expected_head: The head that the one log must have, None if any will do.
        code: The exit code that follows from all outcomes so far.
        archived: How many games of archives were checked.
        sound: How many of them were proved.
        withheld: How many bodies of events were left out of archives.
        unread: How many lines of archives cannot be read.
        tables: Whether an archive was a database, which has tables beside the log.
    """

    def __init__(
        self,
        expected_head: "api.Head | None",
        checks: SignatureChecks | None,
        json: bool,
        db: str | None,
        viewer: Viewer,
    ) -> None:
        """Begin with nothing proved.

        Args:
            expected_head: The head that the one log must have, None if any will do.
            checks: Checks signatures too, None for none.
            json: Whether to print JSON.
            db: The database, as it was typed.
            viewer: Who looks. A seat is not shown heads, which count events that it may not know of.
        """
        self.expected_head, self.checks, self.json, self.db, self.viewer = expected_head, checks, json, db, viewer
        self.code = self.archived = self.sound = self.withheld = self.unread = 0
        self.tables = False

    def prove(self, what: list[str]) -> None:
        """Print a proof for each game that is named, files first, or for the whole database if nothing is named.

        Args:
            what: Archives, score sheets and ids of stored games.
        """
        files = [name for name in what if Path(name).is_file()]
        for name in files:
            if _is_archive(name) or (self.checks and Path(f"{name}.manifest").is_file()):
                self._archive(name)
            else:
                self._sheets(name)
        if not what or len(files) < len(what):
            with open_log(self.db) as store:
                if not what:
                    for proof in api.verify_all(store):
                        self._put(proof)
                for name in what:
                    if name not in files:
                        self._record(store, name, self.expected_head)
            self._limit(bool(what))
        if self.archived and not self.json:
            self._conclude()

    def _put(self, proof: "api.Proof", more: str = "") -> None:
        """Print the outcome for one log, with ``more`` after a sound one; an unsound one raises the exit code.

        A seat is not shown the number of events, some of which it may not know, nor what is wrong.
        """
        if proof.fault:
            self._worst(INTEGRITY)
        if self.viewer.seat is not None:
            says = "its log is not what was written" if proof.fault else ""
            outcome = f"NOT PROVED: {says}." if says else "proved"
            if self.json:
                put_json({"id": proof.id, "fault": says})
            else:
                put(f"{printable_id(proof.id) or 'the database'}: {outcome}{more}")
        elif self.json:
            put_json(proof)
        elif proof.fault:
            put(f"{printable_id(proof.id) or 'the database'}: NOT PROVED: {proof.fault}")
        else:
            omission = f", {count(proof.withheld, 'body', 'bodies')} left out" if proof.withheld else ""
            head = f"head {proof.version}:{proof.digest}"
            put(f"{proof.id}: proved, {count(proof.version, 'event')}{omission}, {head}{more}")

    def _limit(self, has_names: bool) -> None:
        """Print what the proofs of stored games do not cover; nothing with JSON, or if a head was given.

        Args:
            has_names: Whether single games were named, instead of the whole database.
        """
        if self.json or self.expected_head:
            return
        if has_names:
            _put_sentence(
                "Not proved: that the log was not cut short together with its head. Use --all, or --head with"
                " a head kept elsewhere."
            )
        else:
            _put_sentence(
                "Not proved: the lists and the search, which `reindex` rebuilds from the log; and that nobody"
                " replaced the whole file, which only a head kept elsewhere would show."
            )

    def _record(self, store: "api.Log", id: str, head: "api.Head | None") -> None:
        """Prove a stored game and print the outcome; an unknown id is reported on standard error.

        Args:
            store: The open log.
            id: The game.
            head: A head that the game must have reached: the number and digest of its event then. None for no such
                check.
        """
        try:
            self._put(api.verify(store, id, head))
        except UnknownGame as fault:
            self._say_unproved(f"{fault}{suggestion_for(store, id)}", USAGE)

    def _archive(self, name: str) -> None:
        """Prove each game of an archive and print the outcomes.

        If there is a signed manifest, each must be as it says, and a game of it that the archive lacks is unsound. So
        is a game that the archive holds twice.
        """
        manifest = None
        if self.checks:
            manifest = self.checks.check_archive(name, self.json)
            self._worst(self.checks.code)
        suffix = ", as signed" if manifest else ""
        ids: set[str] = set()
        for proof in self._proofs(name):
            self.archived += 1
            proof = check_against(proof, manifest) if manifest else proof
            if proof.id in ids:
                proof = type(proof)(proof.id, proof.version, "", f"{name} holds {proof.id} twice.")
            ids.add(proof.id)
            self.sound += not proof.fault
            self.withheld += proof.withheld
            self._put(proof, suffix)
        for proof in missing(manifest, ids) if manifest else ():
            self._put(proof)

    def _proofs(self, name: str) -> "Iterator[api.Proof]":
        """Yield the proof of each game in an archive, which is JSON lines or a published database.

        A line that cannot be read is reported and has no proof; among other games it counts as damage.
        """
        if is_published(Path(name)):
            self.tables = True
            try:
                for game in read_published(Path(name)):
                    yield api.verify_archive(game, self.expected_head)
            except Declined as fault:
                self._unreadable(name, fault)
            return
        before = self.archived
        with open(name, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield api.verify_archive(api.read_archive(line), self.expected_head)
                except Declined as fault:
                    self._unreadable(f"{name}:{number}", fault)
        if self.unread and self.archived > before:
            # A line that is no game among games is a game that somebody altered.
            self._worst(INTEGRITY)

    def _unreadable(self, where: str, fault: Exception) -> None:
        """Report a part of an archive that cannot be read, and raise the exit code.

        In a signed archive text that is no game counts as damage.

        Args:
            where: The file, with the number of the line: ``all.jsonl:3``.
            fault: Why it cannot be read.
        """
        unfit = INTEGRITY if self.checks else USAGE
        self.unread += isinstance(fault, Unfit)
        self._say_unproved(f"{where}: {fault}", unfit if isinstance(fault, Unfit) else FINDINGS)

    def _sheets(self, name: str) -> None:
        """Prove the stored games whose ids and heads the score sheets in a file name; each must have reached that head.

        A file without heads is reported. The program ends if signatures were to be checked.
        """
        if self.checks:
            fail(f"{name}: --signers needs archives, as `export --format json --log --sign` writes them.")
        with open(name, encoding="utf-8", errors="replace") as text:
            heads = list(heads_in(text))
        if not heads:
            because = (
                f"{name} holds neither an archive nor a score sheet that names its record; expected an "
                "export with a head."
            )
            self._say_unproved(because, USAGE)
            return
        with open_log(self.db) as store:
            for id, head in heads:
                self._record(store, id, self.expected_head or head)

    def _conclude(self) -> None:
        """Print in sentences what all proofs together show about the archives, and what they do not."""
        who = self.checks.who if self.checks and not self.code else ""
        if self.checks and self.checks.code:
            _put_sentence("NOT PROVED: that this was signed by the person who should have signed it.")
        if self.unread:
            _put_sentence(f"NOT PROVED: {count(self.unread, 'line')} that cannot be read as a game.")
        if self.sound:
            heads = f"; {who} signed these heads" if who else ""
            of = count(self.sound, "game") if self.sound == self.archived else f"{self.sound} of {self.archived} games"
            _put_sentence(f"Proved for {of}: each event is the one written, in this order, up to the head{heads}.")
        omission = "what the omitted bodies say; " if self.withheld else ""
        omission += "what the tables beside the log hold; " if self.tables else ""
        caveat = "" if who else "who wrote it; that a head noted elsewhere is this one; "
        _put_sentence(
            f"Not proved: {omission}{caveat}the times, taken from the writer's own clock; that it was played as "
            "written; that "
            "nothing else was played."
        )

    def _say_unproved(self, sentence: str, code: int) -> None:
        """Write to standard error that something cannot be proved, and raise the exit code to at least ``code``."""
        say(f"cartulary: {sentence}")
        self._worst(code)

    def _worst(self, code: int) -> None:
        """Make ``code`` the exit code of the command, unless a higher one is there already."""
        self.code = max(self.code, code)


def _put_sentence(sentence: str) -> None:
    """Print a sentence, folded to the terminal."""
    for line in wrap(sentence, "  "):
        put(line)


def _is_archive(name: str) -> bool:
    """Say whether a file holds exported games with their logs: it begins with ``{``, or is a published database.

    Raises OSError if it cannot be read.
    """
    with open(name, "rb") as file:
        if file.read(1 << 12).lstrip()[:1] == b"{":
            return True

    return is_published(Path(name))
