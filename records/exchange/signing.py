"""Signatures that anybody can check with ``ssh-keygen -Y verify``, on a machine that has no Cartulary.

They have the armoured SSHSIG format, with Ed25519 keys over the SHA-512 of the data. The namespace makes sure that a
signature for something else is never taken for that of an archive.

Source: OpenSSH, PROTOCOL.sshsig and ssh-keygen(1).
"""

import hashlib
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from cartulary.records.faults import Unfit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAMESPACE = "cartulary"
"""The argument of ``ssh-keygen -n``."""

_MAGIC, _VERSION, _KIND = b"SSHSIG", 1, b"ssh-ed25519"
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_PRIVATE = "-----BEGIN OPENSSH PRIVATE KEY-----"
_HASHES = ("sha512", "sha256")
_COLUMNS = 70
_MISSING = "Signatures need the library cryptography; install it with: pip install 'cartulary[signing]'."

# --- types ---


class PublicKey(Struct, frozen=True):
    """A public Ed25519 key. Its ``blob`` is the key in SSH's wire format."""

    blob: bytes

    @property
    def fingerprint(self) -> str:
        """The fingerprint, as ``ssh-keygen -l`` prints it: ``SHA256:`` and the digest in base64 without ``=``."""
        return "SHA256:" + b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")


class SigningKey:
    """A private key that was read and unlocked; ``public`` is its public key."""

    def __init__(self, private: "Ed25519PrivateKey") -> None:
        """Wrap a private key of the library, and work out its public key."""
        self._private = private
        self.public = PublicKey(_ssh_strings((_KIND, private.public_key().public_bytes_raw())))

    def sign(self, digest: bytes) -> str:
        """Return the signature of data as lines of text between ``-----BEGIN SSH SIGNATURE-----`` and its end.

        ``digest`` is the SHA-512 of the data, 64 bytes, as ``digest_of`` returns it.
        """
        raw = self._private.sign(_MAGIC + _data_to_sign("sha512", digest))
        parts = (self.public.blob, NAMESPACE.encode(), b"", b"sha512", _ssh_strings((_KIND, raw)))
        blob = b64encode(_MAGIC + _VERSION.to_bytes(4, "big") + _ssh_strings(parts)).decode()
        lines = [blob[at : at + _COLUMNS] for at in range(0, len(blob), _COLUMNS)]
        return "\n".join((_BEGIN, *lines, _END)) + "\n"


class Signature(Struct, frozen=True):
    """A signature that was read.

    Attributes:
        key: The key that made it.
        algorithm: The hash that was signed.
        raw: The signature itself, 64 bytes.
    """

    key: PublicKey
    algorithm: str
    raw: bytes

    def holds(self, digest: bytes) -> bool:
        """Say whether the key signed the data with this digest, which must be by the hash that ``algorithm`` names.

        Raises Unfit if the library cryptography is not installed.
        """
        try:
            from cryptography.exceptions import InvalidSignature
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        except ImportError:
            raise Unfit(_MISSING) from None
        try:
            public = Ed25519PublicKey.from_public_bytes(self.key.blob[-32:])
            public.verify(self.raw, _MAGIC + _data_to_sign(self.algorithm, digest))
        except (InvalidSignature, ValueError):
            return False
        return True


# --- keys ---


def read_key(data: bytes, passphrase: Callable[[], str], name: str = "The key") -> SigningKey:
    """Return the Ed25519 key in an OpenSSH private key file, ready to sign.

    Args:
        data: The bytes of the file.
        passphrase: Called for the passphrase, once and only if the key has one.
        name: What a message calls the file.

    Raises:
        Unfit: It is another kind of file or of key, was altered, or the passphrase is wrong; or the library
            cryptography is not installed.
    """
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key
    except ImportError:
        raise Unfit(_MISSING) from None
    locked = _has_passphrase(data, name)
    try:
        private = load_ssh_private_key(data, passphrase().encode() if locked else None)
    except (ValueError, TypeError):
        reason = "the passphrase is wrong" if locked else "the file was cut off or altered"
        raise Unfit(f"{name} cannot be read: {reason}.") from None
    except UnsupportedAlgorithm as fault:
        raise Unfit(f"{name} cannot be read: {fault}.") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise Unfit(f"{name} is not an Ed25519 key; `ssh-keygen -t ed25519` makes one.")
    return SigningKey(private)


def _has_passphrase(data: bytes, name: str) -> bool:
    """Say whether the private key in a file has a passphrase; ``name`` is what a message calls the file.

    Raises:
        Unfit: It is not an Ed25519 key in the format of OpenSSH, or it was cut off or altered.
    """
    text = data.decode("ascii", "replace").strip()
    if not text.startswith(_PRIVATE):
        public = text.startswith(("ssh-", "ecdsa-", "sk-"))
        what = "a public key" if public else "not a private key as OpenSSH writes it"
        raise Unfit(f"{name} is {what}; expected a private key, without .pub.")
    try:
        magic, _, rest = b64decode("".join(text.splitlines()[1:-1]), validate=True).partition(b"\0")
        cipher, *derivation = islice(_read_ssh_strings(rest), 3)
        # The number of keys in the file, four bytes, stands before the public key.
        before = sum(4 + len(part) for part in (cipher, *derivation)) + 4
        kind = next(_read_ssh_strings(next(_read_ssh_strings(rest[before:]))))
    except (Error, ValueError, StopIteration):
        raise Unfit(f"{name} cannot be read: the file was cut off or altered. Use a whole one.") from None
    if magic != b"openssh-key-v1" or kind != _KIND:
        raise Unfit(
            f"{name} is a key of the kind {kind.decode('ascii', 'replace')}; archives need an Ed25519 "
            "key, which `ssh-keygen -t ed25519` makes."
        )
    return cipher != b"none"


def read_public(text: str) -> PublicKey:
    """Return the public Ed25519 key in a line such as ``ssh-ed25519 AAAA… ann@home``; what follows the key does not
    matter.

    Raises:
        ValueError: It is anything else. The text is the reason, a part of a sentence.
    """
    kind, _, rest = text.strip().partition(" ")
    if kind.encode() != _KIND:
        raise ValueError(f"a key of the kind {kind or 'none'}, expected {_KIND.decode()}")
    try:
        blob = b64decode(rest.split()[0], validate=True)
        parts = tuple(_read_ssh_strings(blob))
    except (Error, ValueError, IndexError):
        raise ValueError("a key that was cut off or altered") from None
    if len(parts) != 2 or parts[0] != _KIND or len(parts[1]) != 32:
        raise ValueError("a key that was cut off or altered")
    return PublicKey(blob)


# --- signatures ---


def read_signature(text: str) -> Signature:
    """Return the signature in the text that ``SigningKey.sign`` or ``ssh-keygen -Y sign`` writes. It is not checked
    yet.

    Raises:
        ValueError: It is not one, was altered, or has another namespace or kind of key. The text is the reason.
    """
    lines = text.strip().splitlines()
    if len(lines) < 3 or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise ValueError("it is not a signature as OpenSSH writes it")
    try:
        blob = b64decode("".join(line.strip() for line in lines[1:-1]), validate=True)
        if blob[:6] != _MAGIC or int.from_bytes(blob[6:10], "big") != _VERSION:
            raise ValueError("it is not a signature of version 1")
        key, namespace, _, algorithm, signed = _read_ssh_strings(blob[10:])
        kind, *rest = _read_ssh_strings(signed)
    except (Error, ValueError):
        raise ValueError("the signature was cut off or altered") from None
    if namespace != NAMESPACE.encode():
        raise ValueError(f"it was signed as {namespace.decode('utf-8', 'replace')!r}, not as {NAMESPACE!r}")
    if kind != _KIND:
        raise ValueError(
            f"it is signed with a key of the kind {kind.decode('ascii', 'replace')}, which only ssh-keygen can check"
        )
    hash_name = algorithm.decode("ascii", "replace")
    if hash_name not in _HASHES or len(rest) != 1 or len(rest[0]) != 64:
        raise ValueError("the signature was cut off or altered")
    return Signature(read_public(f"{_KIND.decode()} {b64encode(key).decode()}"), hash_name, rest[0])


def digest_of(pieces: Iterable[bytes], algorithm: str = "sha512") -> bytes:
    """Return the digest of data that comes in pieces, by the name of its hash, ``sha256`` or ``sha512``.

    That of ``sha512`` is what ``SigningKey.sign`` signs.
    """
    digest = hashlib.new(algorithm)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


# --- SSH's wire form ---


def _data_to_sign(algorithm: str, digest: bytes) -> bytes:
    """Return the bytes that are signed in place of the data: namespace, hash and digest, as SSHSIG has them.

    ``algorithm`` is the name of the hash, such as ``sha512``, by which the digest was worked out.
    """
    return _ssh_strings((NAMESPACE.encode(), b"", algorithm.encode(), digest))


def _ssh_strings(parts: Iterable[bytes]) -> bytes:
    """Return byte strings in SSH's wire format, each after its length in four bytes: ``ab`` -> ``00 00 00 02 61
    62``.
    """
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _read_ssh_strings(data: bytes) -> Iterator[bytes]:
    """Yield the byte strings that stand one after another in SSH's wire format.

    Raises:
        ValueError: The data are cut off.
    """
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        part = data[at + 4 : at + 4 + size]
        if len(data) < at + 4 or len(part) != size:
            raise ValueError("cut off")
        yield part
        at += 4 + size
