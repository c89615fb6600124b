"""A flood: many clients that ask one server the same things without pause, until the program is ended.

Reads from its input one JSON object: the port, how many clients there are, and the requests as they are sent. Prints a
line once every client has sent its first. ``hold``: seconds after which a client that has no answer yet goes away.
"""

import asyncio
import json
import sys
from contextlib import suppress
from itertools import count

HERE = "127.0.0.1"


async def ask(port: int, request: bytes, hold: float) -> None:
    """Send a request and read its answer, for at most ``hold`` seconds; then cut the connection."""
    reader, writer = await asyncio.open_connection(HERE, port)
    try:
        writer.write(request)
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), hold)
    finally:
        writer.transport.abort()


async def flood(port: int, many: int, requests: list[bytes], hold: float) -> None:
    """Let ``many`` clients send these requests by turns until the process is ended; prints ``flooding``
    once they run.
    """
    turns = count()

    async def client() -> None:
        while True:
            with suppress(OSError):
                await ask(port, requests[next(turns) % len(requests)], hold)

    clients = [asyncio.create_task(client()) for _ in range(many)]
    await asyncio.sleep(0.3)
    print("flooding", flush=True)
    await asyncio.gather(*clients)


if __name__ == "__main__":
    asked = json.loads(sys.stdin.readline())
    asyncio.run(flood(asked["port"], asked["many"], [each.encode() for each in asked["requests"]], asked["hold"]))
