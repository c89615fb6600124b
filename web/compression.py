"""Answers as gzip, for browsers that take it: a page of a table is a sixth of its size then.

Only what is read is compressed, and nothing of it holds a secret: links with their secrets are answers to writes, which
stay as they are. What a page shows is the viewer's own part of the game, so that its size says no more than it does.
"""

from functools import lru_cache
from zlib import DEFLATED, Z_FULL_FLUSH, compressobj

from starlette.requests import Request
from starlette.responses import Response

SMALLEST = 500
"""Bytes below which an answer is sent as it is."""
LONGEST_KEPT = 200_000
"""Bytes above which a compressed answer is not kept for the next request."""
_GZIP = 16 + 15
_RAW = -15
STREAM_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
"""What a compressed stream begins with."""


def takes_gzip(request: Request) -> bool:
    """Say whether whoever sent a request can read gzip, by its header Accept-Encoding; a weight of 0 means no."""
    for accepted in request.headers.get("accept-encoding", "").split(","):
        name, _, weight = accepted.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return weight.replace(" ", "").rstrip("0") not in ("q=", "q=0.")
    return False


def compress(response: Response, request: Request) -> Response:
    """Return an answer as gzip if the request takes it and the answer has at least ``SMALLEST`` bytes.

    A shorter answer is returned itself. A longer one that is not packed has the header Vary all the same.
    """
    if len(response.body) < SMALLEST:
        return response
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    headers["vary"] = ", ".join(filter(None, (headers.get("vary"), "accept-encoding")))
    body = bytes(response.body)
    if takes_gzip(request):
        body = _gzipped(body) if len(body) > LONGEST_KEPT else _gzipped_once(body)
        headers["content-encoding"] = "gzip"
    return Response(body, response.status_code, headers)


def compress_piece(piece: bytes) -> bytes:
    """Return a piece of a stream, compressed, to be sent after ``STREAM_HEAD`` and the pieces before it.

    A piece can be read as soon as it has come, and needs none of the others, so that it can be made once for all
    streams.
    """
    packer = compressobj(6, DEFLATED, _RAW)
    return packer.compress(piece) + packer.flush(Z_FULL_FLUSH)


compress_shared = lru_cache(maxsize=256)(compress_piece)
"""``compress_piece``, kept for the next streams that send the same piece."""


def _gzipped(body: bytes) -> bytes:
    """Return a body packed as gzip."""
    packer = compressobj(6, DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


_gzipped_once = lru_cache(maxsize=64)(_gzipped)
"""``_gzipped``, kept for the next requests: pages of a game are asked for by many."""
