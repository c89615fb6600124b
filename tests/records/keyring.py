"""Keys made by ssh-keygen, what it says of a signature, and the command line typed: shared by the tests of signing."""

import subprocess
from pathlib import Path

from typer.testing import CliRunner, Result

from cartulary.cli.app import build
from tests.programs import program

PHRASE = "under the table"


def ssh_keygen(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    keygen = program("ssh-keygen", package="openssh-client")
    return subprocess.run([keygen, *words], input=stdin, capture_output=True, check=False)


def made(path: Path, *words: str, phrase: str = "") -> Path:
    """Make a key; return the private one's file."""
    ended = ssh_keygen("-q", "-N", phrase, "-C", "club", "-f", str(path), *(words or ("-t", "ed25519")))
    assert ended.returncode == 0, ended.stderr
    return path


def keyring(folder: Path) -> Path:
    """Fill a folder with keys of the club, of a stranger, a locked one and one of another kind; return it."""
    made(folder / "club")
    made(folder / "stranger")
    made(folder / "locked", phrase=PHRASE)
    made(folder / "ecdsa", "-t", "ecdsa")
    (folder / "allowed").write_text(f"club@example {public(folder)}\n", "ascii")
    return folder


def public(keys: Path) -> str:
    """Return the club's public key without its comment."""
    return " ".join((keys / "club.pub").read_text("ascii").split()[:2])


def by_ssh(keys: Path, signature: Path, data: bytes, signer: str = "club@example") -> bool:
    """Say whether ssh-keygen accepts a signature of the signer."""
    words = ("-Y", "verify", "-f", str(keys / "allowed"), "-I", signer, "-n", "cartulary", "-s", str(signature))
    return ssh_keygen(*words, stdin=data).returncode == 0


def typed(*words: str, code: int = 0) -> Result:
    """Return what a command printed; it must end with the code and without a traceback."""
    result = CliRunner().invoke(build(), list(words))
    text = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
    assert result.exit_code == code, text
    assert "Traceback" not in text
    return result
