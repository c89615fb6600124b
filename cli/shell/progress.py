"""A progress bar on standard error, drawn only if a person sees it and the work takes long."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from cartulary.cli.shell.findings import stderr_is_free

if TYPE_CHECKING:
    from rich.progress import Progress

LONG = 4_000_000
"""From how many bytes on a bar is worth drawing."""


class Advancing(Protocol):
    """Something that progress is reported to."""

    def advance(self, amount: float) -> None:
        """Count ``amount`` more bytes as done."""


class Silent:
    """A bar that is not drawn."""

    def advance(self, amount: float) -> None:
        """Do nothing, whatever the amount."""


class Bar:
    """A progress bar over bytes, drawn while the block runs, unless the work is short or nobody would see it."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total = title, total
        self._close: Callable[[], None] | None = None

    def __enter__(self) -> Advancing:
        """Start the bar and return what to report progress to."""
        if self._total < LONG or not stderr_is_free():
            return Silent()
        from rich.console import Console
        from rich.progress import Progress

        progress = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
        progress.start()
        self._close = progress.stop
        return _Drawn(progress, self._title, self._total)

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar."""
        if self._close is not None:
            self._close()


class _Drawn:
    """A bar that is drawn."""

    def __init__(self, progress: "Progress", title: str, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task(title, total=total)

    def advance(self, amount: float) -> None:
        """Count ``amount`` more bytes as done, and draw the bar again."""
        self._progress.advance(self._task, amount)
