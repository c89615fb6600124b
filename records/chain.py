"""The chain of digests that proves a record is what was written.

An event's digest covers the digest before it, its topic and every byte of its body; the first one covers the game's
id. So a changed, dropped, swapped or inserted event breaks the chain from there on, and a head (version and digest)
noted elsewhere shows a log whose end was cut off. A *sealed* body is the stored one: its first field is the digest.

    digest = SHA-256( digest before ‖ SHA-256( topic ‖ "\\n" ‖ body ) )     body: the JSON without its digest
    digest before the first event = SHA-256( "cartulary/1\\n" ‖ id )
"""

from hashlib import sha256

from msgspec import Struct

_OPENING = b'{"digest":"'
_START = len(_OPENING)
_END = _START + 64
_BODY = _END + 2


class Head(Struct, frozen=True):
    """Where a record stands. version: its number of events; digest: of the last one, in hex."""

    version: int
    digest: str

    def __str__(self) -> str:
        return f"{self.version}:{self.digest}"


def origin(id: str) -> Head:
    """Return the head of a game before its first event."""
    return Head(0, sha256(b"cartulary/1\n" + id.encode()).hexdigest())


def link(previous: bytes, topic: bytes, body: bytes) -> bytes:
    """Return the digest, 32 bytes, of an event whose body stands without its digest."""
    return sha256(previous + sha256(topic + b"\n" + body).digest()).digest()


def seal(previous: bytes, topic: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return the digest and the sealed body."""
    digest = link(previous, topic, body)
    return digest, b'{"digest":"%b",%b' % (digest.hex().encode(), body[1:])


def follow(previous: bytes, topic: bytes, sealed: bytes) -> bytes | None:
    """Return the digest of a sealed body if it is the one that belongs after ``previous``, else None.

    Works on the stored bytes; nothing is written anew to compare.
    """
    if sealed[:_START] != _OPENING or sealed[_END:_BODY] != b'",':
        return None
    digest = link(previous, topic, b"{" + sealed[_BODY:])
    return digest if sealed[_START:_END] == digest.hex().encode() else None
