"""Keys, signatures and manifests as files: what the commands that sign and verify archives share."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from getpass import getpass
from hashlib import sha512
from pathlib import Path

from cartulary.cli.shell.console import INTEGRITY, fail, put, put_json, say, terminal
from cartulary.cli.shell.findings import count
from cartulary.records import api
from cartulary.records.exchange.manifest import Listing, Manifest, read_manifest
from cartulary.records.exchange.outfile import replace_files
from cartulary.records.exchange.signers import SignatureCheck, check_signature, read_signers
from cartulary.records.exchange.signing import SigningKey, digest_of, read_key

PASSPHRASE = "CARTULARY_PASSPHRASE"
"""The environment variable that unlocks a key where nobody can be asked."""
BLOCK = 1 << 20


def signing_key(path: Path) -> "SigningKey":
    """Return the private key in a file, unlocked; warn on standard error if other users may read the file.

    If the key has a passphrase, it is asked for. Raises OSError if the file cannot be read.
    """
    data = path.read_bytes()
    if os.name == "posix" and path.stat().st_mode & 0o077:
        say(f"cartulary: {path}: others may read this private key; `chmod 600 {path}` prevents that.")
    return read_key(data, partial(_passphrase, path), str(path))


def _passphrase(path: Path) -> str:
    """Return the passphrase of a key, from the environment variable that ``PASSPHRASE`` names, or from the person.

    The program ends if nobody can be asked or nothing is typed.
    """
    passphrase = os.environ.get(PASSPHRASE)
    if passphrase is not None:
        return passphrase
    if not terminal(sys.stdin):
        fail(f"{path} is locked by a passphrase, and nobody can be asked for it here; set {PASSPHRASE} to it.")
    try:
        return getpass(f"Passphrase of {path}: ")
    except EOFError:
        fail(f"{path} is locked by a passphrase, and none was given; run the command again and type it.")


def beside(path: Path, suffix: str) -> Path:
    """Return a file beside another, by the ending to add: ``club.jsonl`` and ``.sig`` give ``club.jsonl.sig``."""
    return path.with_name(path.name + suffix)


def signed_files(path: Path) -> tuple[Path, Path, Path, Path]:
    """Return the four files of a signed archive: the archive, its signature, its manifest, the manifest's signature."""
    return path, beside(path, ".sig"), beside(path, ".manifest"), beside(path, ".manifest.sig")


def digest_of_file(path: Path, algorithm: str) -> bytes:
    """Return the digest of a file by the algorithm of this name, such as ``sha256``.

    Raises OSError if it cannot be read.
    """
    return digest_of(_blocks(path), algorithm)


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks of ``BLOCK`` bytes, the last one shorter."""
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block


# --- signing an archive ---


class Signing:
    """Signs an export: notes each archive that passes through, then writes manifest and signatures beside the file."""

    def __init__(self, key: Path, signer: str) -> None:
        """Read the key first, so that a wrong passphrase fails before anything is exported."""
        self._key, self._signer, self._listing = signing_key(key), signer, Listing()

    def games(self, games: "Iterable[api.Archive]") -> "Iterator[api.Archive]":
        """Yield the games unchanged; each is noted for the manifest as it passes."""
        return self._listing.games(games)

    def write(self, path: Path, pieces: Iterable[bytes], over: bool) -> None:
        """Write an archive, its manifest and a signature of each: all four files, or none if one fails.

        Args:
            path: The archive; the others get longer names beside it.
            pieces: The bytes of the archive. The games must have passed through ``games``.
            over: Whether files that are there may be replaced.
        """
        with replace_files(*signed_files(path), over=over) as spares:
            archive, signature, manifest_file, manifest_signature = spares
            with archive.open("wb") as file:
                file.writelines(self._listing.pieces(pieces))
            manifest = self._manifest(path.name)
            manifest_file.write_bytes(manifest)
            signature.write_text(self._key.sign(self._listing.sha512.digest()), "ascii")
            manifest_signature.write_text(self._key.sign(sha512(manifest).digest()), "ascii")
        say(f"{path} and its manifest are signed with the key {self._key.public.fingerprint}.")

    def _manifest(self, name: str) -> bytes:
        """Return the manifest, which lists the games that passed through, for an archive with this file name."""
        from importlib.metadata import version

        return self._listing.manifest(name, self._signer, f"cartulary {version('cartulary')}")


# --- who signed an archive ---


class SignatureChecks:
    """Checks the signatures of archives against those who may sign.

    Attributes:
        code: The exit code that follows from all checks so far.
        who: Who signed the file that was checked last.
    """

    def __init__(self, signers: Path, signer: str, manifest: Path | None) -> None:
        """Read who may sign.

        Args:
            signers: The file of allowed signers, or a public key.
            signer: The one who must have signed, empty for any of them.
            manifest: The manifest to check games against; None takes the one beside each archive.
        """
        self.signers = read_signers(signers.read_text("utf-8", "replace"), str(signers))
        self.signer, self.manifest = signer, manifest
        self.code, self.who = 0, ""

    def check_archive(self, name: str, json: bool) -> "Manifest | None":
        """Check who signed an archive and its manifest, which lists its games, and print the outcome.

        A signature that does not hold sets ``code``.

        Args:
            name: The archive; signature and manifest stand beside it.
            json: Whether to print JSON.

        Returns:
            The manifest, None if there is none or its signature does not hold.
        """
        path = Path(name)
        manifest_file = self.manifest or beside(path, ".manifest")
        manifest = self._manifest(manifest_file, json) if self.manifest or manifest_file.exists() else None
        if manifest is None and self.code:
            return None
        has_signature = beside(path, ".sig").exists()
        if manifest and not has_signature:
            self._without_signature(path, manifest, json)
        else:
            self._put(self._check_file(path), "all its bytes as signed", json)
        return manifest

    def _manifest(self, path: Path, json: bool) -> "Manifest | None":
        """Check the signature of a manifest, print the outcome, and return the manifest.

        None if the signature does not hold; then the manifest is not read.
        """
        check = self._check_file(path)
        read = None if check.fault else read_manifest(path.read_bytes(), str(path))
        summary = f"{count(read.about.games, 'game')}, made {read.about.written_at}" if read else ""
        self._put(check, summary, json)
        return read

    def _without_signature(self, path: Path, manifest: "Manifest", json: bool) -> None:
        """Print whether an archive without a signature has the bytes that the signed manifest names.

        If it has not, its games are checked one by one where a manifest was asked for; otherwise the missing signature
        is reported.
        """
        if digest_of_file(path, "sha256").hex() == manifest.about.sha256:
            self._print(f"{path}: its bytes are those the manifest was made from", json)
        elif self.manifest:
            self._print(
                f"{path}: these are not the bytes that were signed; its games are checked against the signed heads",
                json,
            )
        else:
            self._put(self._check_file(path), "", json)

    def _check_file(self, path: Path) -> "SignatureCheck":
        """Return the outcome of checking a file against the signature beside it.

        A missing signature is an outcome too.
        """
        signature = beside(path, ".sig")
        text = signature.read_text("ascii", "replace") if signature.exists() else None
        digest: Callable[[str], bytes] = partial(digest_of_file, path)
        return check_signature(str(path), digest, text, self.signers, self.signer)

    def _put(self, check: "SignatureCheck", more: str, json: bool) -> None:
        """Print the outcome of a check, and remember who signed, or the exit code for a signature that does not hold.

        Args:
            check: The outcome.
            more: What to print after a sound one, such as the number of games.
            json: Whether to print it as JSON.
        """
        if check.fault:
            self.code = INTEGRITY
        else:
            self.who = check.signer or f"the key {check.key}"
        if json:
            put_json(check)
        elif check.fault:
            put(f"{check.file}: NOT PROVED: {check.fault}")
        else:
            key = f" ({check.key})" if check.signer else ""
            put(f"{check.file}: signed by {self.who}{key}, {more}")

    def _print(self, sentence: str, json: bool) -> None:
        """Print a sentence; to standard error if standard output is JSON."""
        if json:
            say(sentence)
        else:
            put(sentence)
