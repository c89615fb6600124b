"""The manifest of an exported archive: its size and digest, and the head of each of its games.

It has JSON lines: the first is about the file, each other one about a game. It is signed beside the archive. A copy
whose bytes differ because names were left out is then still proved, game by game, by its heads.
"""

import hashlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from cartulary.notation.cgn.controls import encodable
from cartulary.notation.cgn.signs import count
from cartulary.records.exchange.archive import Archive
from cartulary.records.faults import Unfit, decode_fault
from cartulary.records.log.chain import Head
from cartulary.records.log.proof import Proof
from cartulary.records.texts import clean_name, now


class FirstLine(Struct, frozen=True, rename={"written_at": "made"}):
    """The first line of a manifest.

    Attributes:
        manifest: The number of the format.
        file: The name of the archive.
        bytes: The size of the archive.
        sha256: The digest of the archive, in hex.
        games: The number of its games.
        written_at: When it was written, by the clock of the signer, UTC.
        signer: Who signs it.
        software: The program that wrote it.
    """

    manifest: int
    file: str
    bytes: int
    sha256: str
    games: int
    written_at: str
    signer: str
    software: str


class Manifest(Struct, frozen=True):
    """A manifest that was read.

    Attributes:
        about: What it says of the file.
        heads: The head of each game by its id, in the order of the archive.
    """

    about: FirstLine
    heads: dict[str, Head]


class Listing:
    """The manifest of an archive that is being written. All its games and bytes pass through this object.

    Attributes:
        sha256: The digest of the bytes so far.
        sha512: The digest of the bytes so far that is signed.
        bytes: The number of bytes so far.
        heads: The head of each game so far, by its id.
    """

    def __init__(self) -> None:
        self.sha256, self.sha512 = hashlib.sha256(), hashlib.sha512()
        self.bytes = 0
        self.heads: dict[str, Head] = {}

    def games(self, archives: Iterable[Archive]) -> Iterator[Archive]:
        """Yield the games unchanged, and note the head of each, which is the number and the digest of its last event.

        Raises:
            Unfit: A game comes twice.
        """
        for archive in archives:
            if archive.id in self.heads:
                raise Unfit(f"{archive.id} is named twice, but a signed archive holds each game once; name it once.")
            self.heads[archive.id] = Head(archive.version, archive.digest)
            yield archive

    def pieces(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces of the archive unchanged, and count and digest their bytes."""
        for piece in pieces:
            self.sha256.update(piece)
            self.sha512.update(piece)
            self.bytes += len(piece)
            yield piece

    def manifest(self, file: str, signer: str, software: str) -> bytes:
        """Return the manifest of what has passed through: JSON lines, one on the file and then one on each game.

        Args:
            file: The name of the archive.
            signer: Who signs it.
            software: The program that writes it.
        """
        counts = (self.bytes, self.sha256.hexdigest(), len(self.heads))
        about = FirstLine(1, encodable(file), *counts, now(), clean_name(signer), software)
        heads = ({"id": id, "version": at.version, "digest": at.digest} for id, at in self.heads.items())
        lines = [about, *heads]
        return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


class _Line(Struct, frozen=True):
    """A line of a manifest about one game: its id, and the version and digest of its head."""

    id: str
    version: int
    digest: str


def read_manifest(data: bytes, name: str = "The manifest") -> Manifest:
    """Return the manifest in a file of JSON lines; it says what an archive holds. It is not compared with one here.

    Args:
        data: The bytes of the file.
        name: What a message calls the file.

    Raises:
        Unfit: It is not a manifest, or has a newer format.
    """
    first, *rest = data.splitlines() or [b""]
    try:
        about = msgspec.json.decode(first, type=FirstLine)
        lines = [msgspec.json.decode(line, type=_Line) for line in rest if line.strip()]
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise Unfit(f"{name} is not the manifest of an archive: {decode_fault(fault)}.") from None
    if about.manifest != 1:
        raise Unfit(f"{name} has format {about.manifest}, expected format 1; install a newer version.")
    return Manifest(about, {line.id: Head(line.version, line.digest) for line in lines})


# --- against the heads that were signed ---


def check_against(proof: Proof, manifest: Manifest) -> Proof:
    """Return the proof of a game as it is, or one with a fault if its head is not the one in the manifest.

    A proof that has a fault already is returned as it is. A game that is not in the manifest, lacks events, or has more
    of them than were signed gets a fault.
    """
    head = manifest.heads.get(proof.id)
    if proof.fault:
        return proof
    if head is None:
        games = count(manifest.about.games, "game that was", "games that were")
        because = f"{proof.id} is not among the {games} signed."
    elif head.version > proof.version:
        events = count(head.version, "event was", "events were")
        because = f"The log of {proof.id} was cut off: {events} signed, but it holds only {proof.version}."
    elif head.version < proof.version:
        because = (
            f"The log of {proof.id} goes on after what was signed, which is {head.version} of its "
            f"{proof.version} events."
        )
    elif (head.version, head.digest) != (proof.version, proof.digest):
        because = (
            f"{proof.id} is not the record that was signed: its head is {proof.version}:{proof.digest}, and that of "
            f"the signed one {head}."
        )
    else:
        return proof
    return Proof(proof.id, proof.version, "", because)


def missing(manifest: Manifest, ids: Iterable[str]) -> Iterator[Proof]:
    """Yield a proof with a fault for every game of the manifest that is not among the ids; nothing is raised.

    They are in the order of the manifest, and there are none if it is complete.
    """
    present = set(ids)
    for id, head in manifest.heads.items():
        if id not in present:
            events = count(head.version, "event")
            yield Proof(id, head.version, "", f"{id} was signed with {events}, but the archive lacks it.")
