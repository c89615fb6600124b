"""A program that has the whole terminal to itself: how it runs, and how every end of it gives the terminal back."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from prompt_toolkit.application import Application

HUNG_UP = 129
"""The exit code after the terminal was closed, as shells have it."""


def run(app: Application[int], begin: Callable[[], None] = lambda: None) -> int:
    """Run a full-screen application until it is left.

    Args:
        app: The application.
        begin: Called once it runs.

    Returns:
        The exit code it was left with, or 128 and the number of the signal that ended it. If its terminal has gone
        away, that is as for SIGHUP.
    """

    def started() -> None:
        """Call ``begin``, and let the signals SIGHUP and SIGTERM end the application."""
        begin()
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            number = getattr(signal, name, None)
            if number is not None:
                with suppress(NotImplementedError):  # Windows has no such handlers
                    loop.add_signal_handler(number, leave, app, 128 + number)

    try:
        return app.run(pre_run=started)
    except (EOFError, OSError) as fault:
        if isinstance(fault, OSError) and os.isatty(sys.stdout.fileno()):
            raise
        return HUNG_UP


def leave(app: Application[int], code: int) -> None:
    """End a full-screen application, whose ``run`` then returns this exit code; nothing if it has ended already."""
    if app.is_running and not app.is_done:
        app.exit(result=code)
