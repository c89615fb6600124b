"""Whose signature stands under a file: the signature, the key and its owner, told apart in sentences."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from cartulary.records.exchange.signers import Signer, signed_by
from cartulary.records.exchange.signing import read_signature


class SignatureCheck(Struct, frozen=True):
    """What a signature came to. signer, key: who signed and the key's fingerprint, as far as they are known

    fault: a sentence, empty where the bytes of the file are the ones an allowed signer signed
    """

    file: str
    signer: str
    key: str
    fault: str = ""


def check_signature(
    file: str, digest: Callable[[str], bytes], signature: str | None, signers: Sequence[Signer], wanted: str = ""
) -> SignatureCheck:
    """Return whether an allowed signer signed these bytes.

    digest: gives the digest of the file by the name of its hash; signature: the armoured text, None where there is none
    wanted: the name that must have signed; without, whoever the signers allow
    """
    if signature is None:
        return SignatureCheck(file, "", "", f"{file} is not signed: there is no {file}.sig.")
    try:
        read = read_signature(signature)
    except ValueError as fault:
        return SignatureCheck(file, "", "", f"The signature {file}.sig does not count: {fault}.")
    who, because = signed_by(read.key, signers, wanted)
    key = read.key.fingerprint
    if because:
        return SignatureCheck(file, who, key, f"The signature {file}.sig does not count: {because}.")
    if not read.holds(digest(read.algorithm)):
        named = who or f"the key {key}"
        return SignatureCheck(
            file, who, key, f"{file} is not what {named} signed, because bytes were changed, cut off or added."
        )
    return SignatureCheck(file, who, key)
