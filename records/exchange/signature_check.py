"""Whose signature a file has: whether the signature, the key or its owner is at fault, in a sentence."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from cartulary.records.exchange.signers import Signer, find_signer
from cartulary.records.exchange.signing import read_signature


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
    """Check whether an allowed signer signed a file.

    Args:
        file: The name of the file.
        digest: Returns the digest of the file by the name of a hash.
        signature: The armoured text, None if there is none.
        signers: Who may sign.
        signer: The name that must have signed, empty for any allowed signer.
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
