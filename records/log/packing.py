"""How a body stands in a database file: a short one as it is, for anybody to read; a longer one packed.

The chain covers the body itself: heads, archives and exports are those of a log in which nothing is packed, and a file
may hold the same body either way.

    packed = 01 ‖ deflate( body without its digests and salts ) ‖ their bytes     raw deflate, begun from ``PHRASES``

Digests and salts are a fifth of what an imported game takes, and chance does not shrink: they are kept as bytes, and a
sign stands in their place. Source: RFC 1951, as zlib of the standard library has it.
"""

import re
import zlib
from pathlib import Path

DIGEST, SALT = "\x01", "\x02"
"""What stands in a packed body for 32 and for 16 bytes in hex."""

_TEXT = Path(__file__).with_name("phrases.txt").read_text("utf-8")
PHRASES = _TEXT.replace("\n", "").replace("{digest}", DIGEST).replace("{salt}", SALT).encode()
"""What stands in many bodies, so that one short sheet is packed as well as many: the beginnings and ends of events, and
of sheets from ``samples/``. They never change, not by a letter, or what was packed from them could not be unpacked. The
likeliest stand last, where it takes the fewest bits to name them.
"""

LEAST = 300
"""Bytes from which on a body is packed. A move that is played is shorter, an imported sheet and its tags are not."""
MOST = 1 << 20
"""Bytes up to which a body is packed; none is longer once it is unpacked, so that no file can fill the memory."""
TIMES = 64
"""What would shrink to less than this part of itself is not packed, for the same reason."""

_PACKED = b"\x01"
_SIGNS = {32: f'"{SALT}"'.encode(), 64: f'"{DIGEST}"'.encode()}
_BYTES = {sign: count // 2 for count, sign in _SIGNS.items()}
_HEX = re.compile(rb'"((?:[0-9a-f]{32}){1,2})"')
_SIGN = re.compile(b"|".join(_BYTES))
_ANY = (DIGEST.encode(), SALT.encode())
_WINDOW = 13
_LEVEL, _MEMORY = 5, 6
"""More of either takes longer, above all where the allocator asks the system for so much; it saves next to nothing."""

_begun = zlib.compressobj(_LEVEL, zlib.DEFLATED, -_WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, PHRASES)


def pack(body: bytes) -> bytes:
    """Return a body as it is to be stored: packed where it is long enough to gain by it and holds no sign."""
    if not LEAST <= len(body) <= MOST or any(sign in body for sign in _ANY):
        return body
    kept: list[bytes] = []

    def sign(found: re.Match[bytes]) -> bytes:
        kept.append(found[1])
        return _SIGNS[len(found[1])]

    deflating = _begun.copy()  # faster than one that is begun anew
    rest = deflating.compress(_HEX.sub(sign, body)) + deflating.flush()
    packed = _PACKED + rest + bytes.fromhex(b"".join(kept).decode())
    return packed if len(body) <= TIMES * len(packed) < TIMES * len(body) else body


def column(stored: bytes) -> str | bytes:
    """Return what is stored as the column holds it: text for a body as it is, so that a person can read it."""
    return stored if stored[:1] == _PACKED else stored.decode()


def unpack(stored: bytes) -> bytes:
    """Return the body of what is stored. Raises ValueError where it was packed and is so no more."""
    if stored[:1] != _PACKED:
        return stored
    inflating = zlib.decompressobj(-zlib.MAX_WBITS, PHRASES)
    try:
        rest = inflating.decompress(stored[1:], min(MOST, TIMES * len(stored)))
    except zlib.error:
        raise ValueError("it was overwritten") from None
    kept, at = inflating.unused_data, 0
    if not inflating.eof or len(kept) != sum(rest.count(sign) * count for sign, count in _BYTES.items()):
        raise ValueError("it was cut off or overwritten")

    def hexed(found: re.Match[bytes]) -> bytes:
        nonlocal at
        first, at = at, at + _BYTES[found[0]]
        return b'"%b"' % kept[first:at].hex().encode()

    return _SIGN.sub(hexed, rest)
