"""How bodies are stored in a database file: a short one as text that anybody can read, a longer one packed.

The chain covers the body, not what is stored. So heads, archives and exports are those of a log without packing, and
either form of the same body may be in a file.

    packed = 01 ‖ deflate( body without its digests and salts ) ‖ their bytes     raw deflate, dictionary ``PHRASES``

Digests and salts are random, so they do not compress, and in hex they would be a fifth of an imported game. They are
stored as bytes after the deflated text, in which one control character marks the place of each:

    {"digest":"bd70af6e…","salt":"00ff…","at":…}   is deflated as   {"digest":"\\x01","salt":"\\x02","at":…}

What was packed once must be readable for ever: format and phrases do not change any more. docs/benchmarks.md has the
figures ("Packing events").

Source: RFC 1951, by zlib of the standard library.
"""

import re
import zlib
from functools import lru_cache
from pathlib import Path

DIGEST, SALT = "\x01", "\x02"
"""The control characters that mark the place of 32 and of 16 bytes in hex. JSON never holds them unescaped."""

_TEXT = Path(__file__).with_name("phrases.txt").read_text("utf-8")
PHRASES = _TEXT.replace("\n", "").replace("{digest}", DIGEST).replace("{salt}", SALT).encode()
"""The dictionary: beginnings and ends of events and of sheets from ``samples/``, so that a single sheet packs well.

Not a letter of it may change, or what was packed with it could not be unpacked. The most frequent phrases are last,
because deflate needs fewer bits for what is near.
"""

LEAST = 300
"""Shorter bodies are not packed. A played move is shorter; an imported sheet and its tags are longer."""
MOST = 1 << 20
"""Longer bodies are not packed, and no more is inflated, so that no file can fill the memory.

Digests and salts, which are put back after that, are twice as long as the bytes stored of them.
"""
TIMES = 64
"""A body that would shrink by more than this factor is not packed, for the same reason."""

_PACKED = b"\x01"
_MARKS = {32: f'"{SALT}"'.encode(), 64: f'"{DIGEST}"'.encode()}
_SIZES = {mark: digits // 2 for digits, mark in _MARKS.items()}
_HEX = re.compile(rb'"((?:[0-9a-f]{32}){1,2})"')
_MARK = re.compile(b"|".join(_SIZES))
_DIGEST, _SALT = DIGEST.encode(), SALT.encode()
_WINDOW = 13
_LEVEL, _MEMORY = 5, 6
"""More of either takes longer, because the allocator asks the system for memory, and saves next to nothing."""

_WITHOUT_MOVES, _SHORT = b'"plies":0,', 1_000
"""What is in the body of an imported sheet without moves, and how long it is at most if it is to be kept."""

_compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -_WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, PHRASES)
_FEW = 400
_quick_compressor = zlib.compressobj(3, zlib.DEFLATED, -_WINDOW, 4, zlib.Z_DEFAULT_STRATEGY, PHRASES)
"""For texts of at most ``_FEW`` bytes, such as tags: a sixth faster, because half as much is copied, for 5 bytes."""


def pack(body: bytes) -> bytes:
    """Return a body as it is to be stored: packed if that saves space, else as it is.

    A packed body begins with the byte 01. Bodies shorter than ``LEAST`` or longer than ``MOST`` bytes are not packed,
    nor any that would shrink by more than the factor ``TIMES``.
    """
    if not LEAST <= len(body) <= MOST or _DIGEST in body or _SALT in body:
        return body
    texts = _HEX.split(body)  # text, digits, text, …, text
    digits = texts[1::2]
    texts[1::2] = [_MARKS[len(each)] for each in digits]
    packed = _PACKED + _deflate(b"".join(texts)) + bytes.fromhex(b"".join(digits).decode())
    return packed if len(body) <= TIMES * len(packed) < TIMES * len(body) else body


def _deflate(text: bytes) -> bytes:
    """Return the deflated text of a body; those of sheets without moves are kept, because many are the same."""
    return _deflate_once(text) if _WITHOUT_MOVES in text and len(text) < _SHORT else _deflate_any(text)


def _deflate_any(text: bytes) -> bytes:
    """Return the deflated text of a body."""
    compressor = _compressor if len(text) > _FEW else _quick_compressor
    deflating = compressor.copy()  # faster than a new one, which would read the dictionary again
    return deflating.compress(text) + deflating.flush()


_deflate_once = lru_cache(256)(_deflate_any)


def column_value(value: bytes) -> str | bytes:
    """Return the result of ``pack`` as a value for the database: bytes if packed, else a text that anybody can read."""
    return value if value[:1] == _PACKED else value.decode()


def unpack(value: bytes) -> bytes:
    """Return the body from what was stored; bytes that are not packed are returned as they are.

    Raises:
        ValueError: The value was packed and has been damaged since. The text is a reason: ``it was overwritten``.
    """
    if value[:1] != _PACKED:
        return value
    inflating = zlib.decompressobj(-zlib.MAX_WBITS, PHRASES)
    try:
        text = inflating.decompress(value[1:], min(MOST, TIMES * len(value)))
    except zlib.error:
        raise ValueError("it was overwritten") from None
    # Deflate marks its own end, so what follows are the bytes of the digests and salts.
    tail, at = inflating.unused_data, 0
    if not inflating.eof or len(tail) != sum(text.count(mark) * size for mark, size in _SIZES.items()):
        raise ValueError("it was cut off or overwritten")

    def digits(match: re.Match[bytes]) -> bytes:
        """Return the next stored digest or salt in hex, in place of its mark."""
        nonlocal at
        start, at = at, at + _SIZES[match[0]]
        return b'"%b"' % tail[start:at].hex().encode()

    return _MARK.sub(digits, text)
