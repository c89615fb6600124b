"""The chain of digests that proves a record is what was written.

An event's digest covers the digest before it, its topic and every byte of its body; the first one covers the game's
id. So an event that is changed, dropped, swapped or inserted breaks the chain from there on. A head (version and
digest) that was noted elsewhere shows a log whose end was cut off.

    digest = SHA-256( digest before ‖ topic ‖ "\\n" ‖ SHA-256( body ) )     body: the JSON without its digest
    digest before the first event = SHA-256( "cartulary/1\\n" ‖ id )

A *sealed* body is the stored one; its digest is its first field. A body can be *withheld*: its SHA-256 takes its place,
and the chain can still be followed, because the link needs no more of the body than that hash. The topic remains and is
proved, so that nobody passes a move off as a name that was left out. The two look like this:

    {"digest":"bd70…","at":"2026-03-14T10:00:00Z","put":[["p1","Ada"]], …}
    {"digest":"bd70…","withheld":"5f1e…"}
"""

from hashlib import sha256

from msgspec import Struct

_OPENING = b'{"digest":"'
_START = len(_OPENING)
_END = _START + 64
_BODY = _END + 2
_WITHHELD = b'"withheld":"'
_HASH = _BODY + len(_WITHHELD)
_LENGTH = _HASH + 64 + 2


class Head(Struct, frozen=True):
    """Where a record stands.

    Attributes:
        version: The number of its events.
        digest: The digest of the last one, in hex.
    """

    version: int
    digest: str

    def __str__(self) -> str:
        return f"{self.version}:{self.digest}"


def origin(id: str) -> Head:
    """Return the head of a stream before its first event: version 0, and a digest made of the id."""
    return Head(0, sha256(b"cartulary/1\n" + id.encode()).hexdigest())


def link(previous: bytes, topic: bytes, body_hash: bytes) -> bytes:
    """Return the digest that follows another in the chain, 32 bytes; the formula is in the docstring of this module.

    Args:
        previous: The digest of the event before it, 32 bytes; before the first event, that of ``origin``.
        topic: The topic of the event, such as ``b"move-played/4"``.
        body_hash: The SHA-256 of its body without its digest, 32 bytes.
    """
    return sha256(previous + topic + b"\n" + body_hash).digest()


def seal(previous: bytes, topic: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return the digest of an event, 32 bytes, and its sealed body, which has the digest as its first field.

    Args:
        previous: The digest of the event before it, 32 bytes.
        topic: The topic of the event, such as ``b"move-played/4"``.
        body: Its body as JSON, an object that is not empty.
    """
    digest = link(previous, topic, sha256(body).digest())
    return digest, b'{"digest":"%b",%b' % (digest.hex().encode(), body[1:])


def follow(previous: bytes, topic: bytes, sealed_body: bytes) -> bytes | None:
    """Return the digest of a sealed body, 32 bytes, if it is the one that belongs after ``previous``, else None.

    The stored bytes themselves are hashed. They are not decoded and encoded again, so that any other spelling of the
    same JSON breaks the chain too. A withheld body is followed by the hash in its place.

    Args:
        previous: The digest of the event before it, 32 bytes.
        topic: The topic of the event.
        sealed_body: Its body as it is stored, unpacked.
    """
    if sealed_body[:_START] != _OPENING or sealed_body[_END:_BODY] != b'",':
        return None
    claim, body_hash = sealed_body[_START:_END], hash_of_withheld(sealed_body)
    body = b"" if body_hash else body_without_digest(sealed_body)
    digest = link(previous, topic, bytes.fromhex(body_hash) if body_hash else sha256(body).digest())
    if claim == digest.hex().encode():
        return digest
    # Before bodies could be withheld, the link hashed topic and body together. These 64 bytes are never mistaken for
    # today's link, which hashes more; nor can such a body be withheld, as its own hash is not in the link.
    early = sha256(previous + sha256(topic + b"\n" + body).digest()).digest()
    return early if body and claim == early.hex().encode() else None


def body_without_digest(sealed_body: bytes) -> bytes:
    """Return a sealed body as it was before its digest was put in front, whatever that digest is."""
    return b"{" + sealed_body[_BODY:]


# --- withheld bodies ---


def hash_of_withheld(sealed_body: bytes) -> str:
    """Return the hash, 64 digits in hex, that takes the place of a withheld body; empty if the body itself is there."""
    if len(sealed_body) != _LENGTH or sealed_body[_BODY:_HASH] != _WITHHELD or sealed_body[-2:] != b'"}':
        return ""
    digits = sealed_body[_HASH:-2]
    return digits.decode() if all(digit in b"0123456789abcdef" for digit in digits) else ""


def withhold(previous: bytes, topic: bytes, sealed_body: bytes) -> bytes | None:
    """Return the bytes that take the place of a sealed body which is left out: its digest and the SHA-256 of the body.

    Args:
        previous: The digest of the event before it, 32 bytes.
        topic: The topic of the event.
        sealed_body: The body that is left out.

    Returns:
        The bytes; None for a body whose digest is not that of today's link, such as one of an early version, since that
        link does not hold the hash.
    """
    body_hash = sha256(body_without_digest(sealed_body)).digest()
    if link(previous, topic, body_hash).hex().encode() != sealed_body[_START:_END]:
        return None
    return b'{"digest":"%b",%b%b"}' % (sealed_body[_START:_END], _WITHHELD, body_hash.hex().encode())
