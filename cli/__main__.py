"""The entry point of the command ``cartulary`` and of ``python -m cartulary.cli``."""

import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line and end the process with its exit code; nobody ever sees a traceback.

    ``--version`` is answered before anything else is imported. ``CARTULARY_DEBUG=1`` shows the traceback of a fault
    in the program itself.
    """
    words = sys.argv[1:]
    if words == ["--version"]:
        from importlib.metadata import version

        print(f"cartulary {version('cartulary')}")
        return
    _speak_utf8()
    try:
        from cartulary.cli.app import build

        build(words)()
    except KeyboardInterrupt:
        _stop("interrupted", 130)
    except Exception as fault:
        if os.environ.get("CARTULARY_DEBUG"):
            raise
        what = f"{type(fault).__name__}: {fault}".rstrip(": ")
        _stop(f"a fault of the program itself, please report it with the command you typed: {what}", 70)


def _speak_utf8() -> None:
    """Let data be UTF-8 wherever no terminal says otherwise, and let no sign be unprintable."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="backslashreplace")


def _stop(sentence: str, code: int) -> None:
    sys.stderr.write(f"cartulary: {sentence}\n")
    raise SystemExit(code)


if __name__ == "__main__":
    main()
