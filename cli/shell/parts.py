"""Work divided among the workers of a cluster: what can be divided, and the workers themselves."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from cartulary.cli.shell.console import fail
from cartulary.cli.shell.options import for_everybody
from cartulary.cli.shell.sources import STDIN, parse_source

if TYPE_CHECKING:
    from cartulary.cli.shell.cluster import Cluster


def check_divisible(names: Sequence[str], seat: str, command: str) -> None:
    """End the program for arguments that cannot be divided among the workers of a cluster.

    Args:
        names: The arguments as they were typed.
        seat: The option ``--seat`` as it was typed, empty for none.
        command: The command, for the sentence.
    """
    for_everybody(seat, f"{command} --cluster")
    for name in names:
        source = parse_source(name)
        if name == STDIN:
            fail("--cluster cannot divide standard input, which can be read only once; name files or folders.")
        if source.live or source.game:
            fail(f"{name}: --cluster divides whole files; name files or folders.")
        if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
            fail(f"{name} is neither a file nor a folder; --cluster needs one of them.")


@contextmanager
def workers_at(cluster: str) -> "Iterator[Cluster | None]":
    """Hold a connection to the workers of a scheduler inside the block; the block gets None for an empty address.

    The program ends if the scheduler or its workers cannot be used.
    """
    if not cluster:
        yield None
        return
    from cartulary.cli.shell.cluster import Cluster

    with closing(Cluster(cluster)) as workers:
        yield workers
