"""Who may sign, by the allowed signers file of ``ssh-keygen -Y verify``, and whose signature a file has.

A line is ``PRINCIPALS [OPTIONS] ssh-ed25519 AAAA…``. A public key file has no principals; it allows its key without a
name.

Source: ssh-keygen(1), ALLOWED SIGNERS.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from cartulary.records.exchange.signing import NAMESPACE, PublicKey, read_public, read_signature
from cartulary.records.faults import Unfit

_KINDS = ("ssh-", "ecdsa-", "sk-")
_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_OPTION = re.compile(r'([a-z-]+)(?:=("(?:[^"\\]|\\.)*"|[^,]*))?(?:,|$)')
_TIME = re.compile(r"(\d{8})(\d{4})?(\d{2})?(Z?)")


class Signer(Struct, frozen=True):
    """A key that somebody may sign with.

    Attributes:
        principals: Patterns of names, empty for a key without a name.
        key: The key.
        namespaces: Patterns of namespaces, empty for any.
        since: When the key begins to be valid, None if always.
        until: When it ceases to be valid, None if never.
    """

    principals: str
    key: PublicKey
    namespaces: str = ""
    since: datetime | None = None
    until: datetime | None = None


def read_signers(text: str, name: str = "The file") -> tuple[Signer, ...]:
    """Return the Ed25519 signers in an allowed signers file or a public key file, in its order. Other keys are skipped.

    Args:
        text: The text of the file.
        name: What a message calls the file.

    Raises:
        Unfit: A line cannot be read, or there is no such signer.
    """
    signers = tuple(_read_lines(text, name))
    if not signers:
        raise Unfit(
            f"{name} names nobody who signs with an Ed25519 key; expected lines such as: club ssh-ed25519 AAAA…"
        )
    return signers


def _read_lines(text: str, name: str) -> Iterator[Signer]:
    """Yield the signer of each line that allows an Ed25519 key; comments and other keys are skipped.

    Raises:
        Unfit: A line cannot be read. The sentence names the file and the line.
    """
    for number, line in enumerate(text.splitlines(), 1):
        tokens = _TOKEN.findall(line)
        if not tokens or line.lstrip().startswith("#"):
            continue
        at = next((at for at, token in enumerate(tokens[:3]) if token.startswith(_KINDS)), None)
        if at is None or len(tokens) < at + 2:
            raise Unfit(f"{name}, line {number}: expected PRINCIPALS ssh-ed25519 AAAA…, or a public key.")
        options = dict(_options(tokens[1])) if at == 2 else {}
        if tokens[at] != "ssh-ed25519" or "cert-authority" in options:
            continue
        try:
            since, until = (_read_time(options.get(key, "")) for key in ("valid-after", "valid-before"))
            key = read_public(" ".join(tokens[at : at + 2]))
        except ValueError as fault:
            raise Unfit(f"{name}, line {number}: found {fault}.") from None
        principals = tokens[0].strip('"') if at else ""
        yield Signer(principals, key, options.get("namespaces", ""), since, until)


def _options(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of each option in a line: ``namespaces="a,b",cert-authority`` -> two pairs.

    The name is in small letters; the value is without quotation marks, and empty for an option that has none.
    """
    for match in _OPTION.finditer(text):
        yield match[1].lower(), (match[2] or "").strip('"')


def _read_time(text: str) -> datetime | None:
    """Return a time such as ``20261120`` or ``20261120143000Z``; without the Z it is local. None for an empty text.

    Raises:
        ValueError: It is not a time. The text says what was found and expected.
    """
    if not text:
        return None
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"the time {text!r}, expected YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS")
    day, minutes, seconds, utc = match.groups("")
    moment = datetime.strptime(day + (minutes or "0000") + (seconds or "00"), "%Y%m%d%H%M%S")
    return moment.replace(tzinfo=UTC) if utc else moment.astimezone()


# --- who may ---


def find_signer(key: PublicKey, signers: Sequence[Signer], name: str = "") -> tuple[str, str]:
    """Return who signed with a key, and whether that counts.

    Args:
        key: The key.
        signers: Who may sign.
        name: The name that must have signed, empty for whoever has the key.

    Returns:
        The name of the signer, or the patterns of names beside the key, empty if there are none; and why the signature
        does not count, empty if it does.
    """
    own = [signer for signer in signers if signer.key == key]
    if not own:
        return "", f"the key {key.fingerprint} belongs to no allowed signer"
    named = [signer for signer in own if not name or not signer.principals or _matches(name, signer.principals)]
    if not named:
        return own[0].principals, f"the key {key.fingerprint} belongs to {own[0].principals}, not to {name}"
    faults = [_why_invalid(signer) for signer in named]
    valid_signer = next((signer for signer, fault in zip(named, faults, strict=True) if not fault), None)
    if valid_signer is None:
        return named[0].principals, faults[0]
    return (name if valid_signer.principals and name else valid_signer.principals), ""


def _why_invalid(signer: Signer) -> str:
    """Return why a key may not sign archives today, as a part of a sentence; empty if it may.

    It may not if its namespaces do not match, or if its time has not begun or is over.
    """
    today = datetime.now(UTC)
    if signer.namespaces and not _matches(NAMESPACE, signer.namespaces):
        return f"the key {signer.key.fingerprint} may sign {signer.namespaces}, not {NAMESPACE}"
    if signer.since is not None and today < signer.since:
        return f"the key {signer.key.fingerprint} is only valid from {signer.since:%Y-%m-%d} on"
    if signer.until is not None and today > signer.until:
        return f"the key {signer.key.fingerprint} was valid until {signer.until:%Y-%m-%d}"
    return ""


def _matches(name: str, patterns: str) -> bool:
    """Say whether a name matches a list of patterns with ``*`` and ``?``, separated by commas.

    A pattern after ``!`` excludes names, wherever it stands: ``!ann,*`` is everybody but ``ann``.
    """
    matched = False
    for pattern in patterns.split(","):
        out, like = pattern.startswith("!"), pattern.removeprefix("!")
        expression = "".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in like)
        if re.fullmatch(expression, name, re.DOTALL):
            if out:
                return False
            matched = True
    return matched


# --- checking a signature ---


class SignatureCheck(Struct, frozen=True):
    """The result of checking a signature.

    Attributes:
        file: The name of the file.
        signer: Who signed, as far as known.
        key: The fingerprint of the key, as far as known.
        fault: What is wrong, as a sentence; empty if an allowed signer signed these bytes.
    """

    file: str
    signer: str
    key: str
    fault: str = ""


def check_signature(
    file: str, digest: Callable[[str], bytes], signature: str | None, signers: Sequence[Signer], signer: str = ""
) -> SignatureCheck:
    """Check whether an allowed signer signed a file. Every fault of the signature is returned in the result, none is
    raised.

    Args:
        file: The name of the file.
        digest: Returns the digest of the file by the name of a hash, ``sha512`` or ``sha256``. It is called only for
            the key of an allowed signer.
        signature: The text of the signature, None if there is none.
        signers: Who may sign.
        signer: The name that must have signed, empty for any allowed signer.

    Returns:
        Who signed with which key, as far as known, and the fault, which is empty if the signature counts.

    Raises:
        Unfit: The library cryptography is not installed.
    """
    if signature is None:
        return SignatureCheck(file, "", "", f"{file} is not signed: there is no {file}.sig.")
    try:
        read = read_signature(signature)
    except ValueError as fault:
        return SignatureCheck(file, "", "", f"The signature {file}.sig does not count: {fault}.")
    who, because = find_signer(read.key, signers, signer)
    key = read.key.fingerprint
    if because:
        return SignatureCheck(file, who, key, f"The signature {file}.sig does not count: {because}.")
    if not read.holds(digest(read.algorithm)):
        named = who or f"the key {key}"
        return SignatureCheck(
            file, who, key, f"{file} is not what {named} signed, because bytes were changed, cut off or added."
        )
    return SignatureCheck(file, who, key)
