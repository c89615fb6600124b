"""The chain of digests that proves a record is what was written.

An event's digest covers the digest before it, its topic and every byte of its body; the first one covers the game's
id. So a changed, dropped, swapped or inserted event breaks the chain from there on, and a head (version and digest)
noted elsewhere shows a log whose end was cut off. A *sealed* body is the stored one: its first field is the digest.
A body can be *withheld*: its SHA-256 stands in its place, and the chain is followed past it. Its topic is still
proved, so that nobody passes a move off as a name that was left out.

    digest = SHA-256( digest before ‖ topic ‖ "\\n" ‖ SHA-256( body ) )     body: the JSON without its digest
    digest before the first event = SHA-256( "cartulary/1\\n" ‖ id )

Events written before bodies could be withheld are linked by SHA-256( digest before ‖ SHA-256( topic ‖ "\\n" ‖ body ) ),
64 bytes where today's link hashes more; they are followed all the same, and cannot be withheld.
"""

from hashlib import sha256

from msgspec import Struct

_OPENING = b'{"digest":"'
_START = len(_OPENING)
_END = _START + 64
_BODY = _END + 2
_HELD = b'"withheld":"'
_HASH = _BODY + len(_HELD)
_LENGTH = _HASH + 64 + 2


class Head(Struct, frozen=True):
    """Where a record stands. version: its number of events; digest: of the last one, in hex."""

    version: int
    digest: str

    def __str__(self) -> str:
        return f"{self.version}:{self.digest}"


def origin(id: str) -> Head:
    """Return the head of a game before its first event."""
    return Head(0, sha256(b"cartulary/1\n" + id.encode()).hexdigest())


def link(previous: bytes, topic: bytes, hashed: bytes) -> bytes:
    """Return the digest, 32 bytes, of an event. hashed: SHA-256 of its body without its digest."""
    return sha256(previous + topic + b"\n" + hashed).digest()


def seal(previous: bytes, topic: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return the digest and the sealed body."""
    digest = link(previous, topic, sha256(body).digest())
    return digest, b'{"digest":"%b",%b' % (digest.hex().encode(), body[1:])


def follow(previous: bytes, topic: bytes, sealed: bytes) -> bytes | None:
    """Return the digest of a sealed body if it is the one that belongs after ``previous``, else None.

    Works on the stored bytes; nothing is written anew to compare.
    """
    if sealed[:_START] != _OPENING or sealed[_END:_BODY] != b'",':
        return None
    claimed, hashed = sealed[_START:_END], held_back(sealed)
    body = b"" if hashed else unsealed_body(sealed)
    digest = link(previous, topic, bytes.fromhex(hashed) if hashed else sha256(body).digest())
    if claimed == digest.hex().encode():
        return digest
    early = sha256(previous + sha256(topic + b"\n" + body).digest()).digest()
    return early if body and claimed == early.hex().encode() else None


def unsealed_body(sealed: bytes) -> bytes:
    """Return a body without the digest that stands in front of it."""
    return b"{" + sealed[_BODY:]


# --- withheld bodies ---


def held_back(sealed: bytes) -> str:
    """Return the hash, in hex, that stands in place of a withheld body; empty where the body is there."""
    if len(sealed) != _LENGTH or sealed[_BODY:_HASH] != _HELD or sealed[-2:] != b'"}':
        return ""
    hashed = sealed[_HASH:-2]
    return hashed.decode() if all(sign in b"0123456789abcdef" for sign in hashed) else ""


def withhold(previous: bytes, topic: bytes, sealed: bytes) -> bytes | None:
    """Return what stands in place of a sealed body that is left out; None where its link does not allow it."""
    hashed = sha256(unsealed_body(sealed)).digest()
    if link(previous, topic, hashed).hex().encode() != sealed[_START:_END]:
        return None
    return b'{"digest":"%b",%b%b"}' % (sealed[_START:_END], _HELD, hashed.hex().encode())
