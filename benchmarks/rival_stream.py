"""The rival of ``tables_…``: a server that sends what it is given to all followers, with no guard, log, rules or page.

``python rival_stream.py`` prints its port and serves until it is ended.
"""

import asyncio
import socket
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route


class Fan:
    """Who follows what: a queue a stream."""

    def __init__(self) -> None:
        self.queues: dict[str, set[asyncio.Queue[bytes]]] = {}

    async def events(self, request: Request) -> Response:
        """Answer with a stream of the bodies that are sent to a game from now on."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.queues.setdefault(request.query_params["game"], set()).add(queue)

        async def pieces() -> AsyncIterator[bytes]:
            yield b"retry: 2000\n\n"
            while True:
                yield await queue.get()

        return StreamingResponse(pieces(), media_type="text/event-stream")

    async def words(self, request: Request) -> Response:
        """Send the body of a request to all who follow the game of its path."""
        body = await request.body()
        for queue in self.queues.get(request.path_params["id"], ()):
            queue.put_nowait(body)
        return Response(b"[]", media_type="application/json")


def main() -> None:
    """Print the address of a free port and serve there until the process is ended."""
    fan = Fan()
    routes = [Route("/events", fan.events), Route("/games/{id}/words", fan.words, methods=["POST"])]
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/?key=none", flush=True)
    config = uvicorn.Config(
        Starlette(routes=routes), http="h11", ws="none", loop="asyncio", lifespan="off", log_config=None
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
