"""Whole commands, started as a person starts them: the wall time, processor time and memory each took.

Needs a system with ``os.wait4``: Linux, macOS and the like.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

_PROBE = (
    "import os, subprocess, sys\n"
    "started = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
    "_, status, used = os.wait4(started.pid, 0)\n"
    "print(os.waitstatus_to_exitcode(status), used.ru_maxrss, used.ru_utime + used.ru_stime)\n"
)
"""A process counts its parent's memory as its own peak until it has started, so its parent must be a small one."""


class Spent(Struct, frozen=True):
    """What commands took together, in seconds: ``wall`` from the first start to the last end, ``cpu`` with all their
    own processes.
    """

    wall: float
    cpu: float


def cartulary(*words: str) -> list[str]:
    """Return the command line of Cartulary for these words: the installed script, else the module run by this
    interpreter.
    """
    script = Path(sys.executable).with_name("cartulary")
    return [str(script), *words] if script.exists() else [sys.executable, "-m", "cartulary.cli", *words]


def spend(*commands: list[str]) -> Spent:
    """Run commands at the same time to their end and return what they took together; what they print is thrown away.

    Ends the program if one fails.
    """
    cpu = 0.0
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) for command in commands]
        for process in running:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            cpu += used.ru_utime + used.ru_stime
        wall = time.perf_counter() - start
        said.seek(0)
        for process in running:
            if process.returncode:
                sys.exit(f"{process.args!r} ended with {process.returncode}: {said.read().decode()}")
    return Spent(wall, cpu)


def peak(command: list[str]) -> float:
    """Return the most memory that a command held at once, in MB of 1,000,000 bytes.

    Ends the program if the command fails.
    """
    return weighed(command)[0]


def weighed(command: list[str]) -> tuple[float, float]:
    """Return the most memory that a command held at once, in MB, and the seconds of processor time of it and its own
    processes. Ends the program if the command fails.
    """
    ended = subprocess.run([sys.executable, "-c", _PROBE, *command], capture_output=True, text=True, check=False)
    code, most, cpu = ended.stdout.split() if ended.returncode == 0 else ("none", "0", "0")
    if code != "0":
        sys.exit(f"{command!r} ended with {code}: {ended.stderr}")
    return int(most) * (1 if sys.platform == "darwin" else 1024) / 1e6, float(cpu)
