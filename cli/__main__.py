"""The entry point of the command ``cartulary`` and of ``python -m cartulary.cli``."""

import os
import sys
from collections.abc import Sequence

from cartulary.cli.shell.streams import secure


def main() -> None:
    """Run the command line and end the process with its exit code; nobody ever sees a traceback.

    ``--version`` is answered before anything else is imported. ``CARTULARY_DEBUG=1`` shows the traceback of a fault
    in the program itself.
    """
    secure()
    code = _ended(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError as fault:
        code = max(code, _unwritten(fault))
    raise SystemExit(code)


def _ended(words: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        if words == ["--version"]:
            from importlib.metadata import version

            print(f"cartulary {version('cartulary')}")
            return 0
        from cartulary.cli.app import build

        build()()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except KeyboardInterrupt:
        return _told("Interrupted.", 130)
    except OSError as fault:
        # Commands tell their own; what comes here was raised by the parser as it wrote a help text.
        return _unwritten(fault)
    except Exception as fault:
        if os.environ.get("CARTULARY_DEBUG"):
            raise
        what = f"{type(fault).__name__}: {fault}".rstrip(": ")
        return _told(f"The program itself has a fault; please report it with the command you typed: {what}.", 70)
    return 0


def _unwritten(fault: OSError) -> int:
    """Tell of output that could not be written; a reader that has gone away needs to hear nothing."""
    if isinstance(fault, BrokenPipeError):
        return 0
    from cartulary.cli.shell.console import os_sentence

    return _told(os_sentence(fault), 2)


def _told(sentence: str, code: int) -> int:
    sys.stderr.write(f"cartulary: {sentence}\n")
    return code


if __name__ == "__main__":
    main()
