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


def signing_key(path: Path) -> SigningKey:
    """Return the key of a file, unlocked; warns of a file that others may read."""
    data = path.read_bytes()
    if os.name == "posix" and path.stat().st_mode & 0o077:
        say(f"cartulary: {path}: others may read this private key; `chmod 600 {path}` prevents that.")
    return read_key(data, partial(_passphrase, path), str(path))


def _passphrase(path: Path) -> str:
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
    """Return the file that goes with another: ``club.jsonl`` and ``.sig`` give ``club.jsonl.sig``."""
    return path.with_name(path.name + suffix)


def signed_files(path: Path) -> tuple[Path, Path, Path, Path]:
    """Return an archive, its signature, its manifest and the manifest's signature, by the archive's path."""
    return path, beside(path, ".sig"), beside(path, ".manifest"), beside(path, ".manifest.sig")


def digest_of_file(path: Path, algorithm: str) -> bytes:
    """Return the digest of a file of any size."""
    return digest_of(_blocks(path), algorithm)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            yield block


# --- signing an archive ---


class Signing:
    """A signed export: the archive passes through, then manifest and signatures are written beside it."""

    def __init__(self, key: Path, signer: str) -> None:
        """Read the key first, so that a wrong passphrase fails before anything is exported."""
        self._key, self._signer, self._listing = signing_key(key), signer, Listing()

    def games(self, games: "Iterable[api.Archive]") -> "Iterator[api.Archive]":
        """Yield the games, each noted for the manifest."""
        return self._listing.games(games)

    def write(self, path: Path, pieces: Iterable[bytes], over: bool) -> None:
        """Write four files, each whole, and none before all are complete: archive, manifest, a signature of each."""
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
        from importlib.metadata import version

        return self._listing.manifest(name, self._signer, f"cartulary {version('cartulary')}")


# --- who signed an archive ---


class SignatureChecks:
    """The signatures of archives, checked against who may sign; ``code`` and ``who`` say what came of it."""

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

    def through(self, name: str, json: bool) -> Manifest | None:
        """Say who signed an archive and its manifest; return the manifest if it is signed and counts."""
        path = Path(name)
        manifest_file = self.manifest or beside(path, ".manifest")
        manifest = self._manifest(manifest_file, json) if self.manifest or manifest_file.exists() else None
        if manifest is None and self.code:
            return None
        has_signature = beside(path, ".sig").exists()
        if manifest and not has_signature:
            self._without_signature(path, manifest, json)
        else:
            self._put(self._check(path), "all its bytes as signed", json)
        return manifest

    def _manifest(self, path: Path, json: bool) -> Manifest | None:
        check = self._check(path)
        read = None if check.fault else read_manifest(path.read_bytes(), str(path))
        summary = f"{count(read.about.games, 'game')}, made {read.about.made}" if read else ""
        self._put(check, summary, json)
        return read

    def _without_signature(self, path: Path, manifest: Manifest, json: bool) -> None:
        """Say of an archive without a signature of its own what the signed manifest says of its bytes."""
        if digest_of_file(path, "sha256").hex() == manifest.about.sha256:
            self._tell(f"{path}: its bytes are those the manifest was made from", json)
        elif self.manifest:
            self._tell(
                f"{path}: these are not the bytes that were signed; its games are checked against the signed heads",
                json,
            )
        else:
            self._put(self._check(path), "", json)

    def _check(self, path: Path) -> SignatureCheck:
        signature = beside(path, ".sig")
        text = signature.read_text("ascii", "replace") if signature.exists() else None
        digest: Callable[[str], bytes] = partial(digest_of_file, path)
        return check_signature(str(path), digest, text, self.signers, self.signer)

    def _put(self, check: SignatureCheck, more: str, json: bool) -> None:
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

    def _tell(self, sentence: str, json: bool) -> None:
        if json:
            say(sentence)
        else:
            put(sentence)
