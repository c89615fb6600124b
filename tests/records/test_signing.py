"""Signatures and keys: ours are those of ssh-keygen, and who may sign is read as it reads it."""

from hashlib import sha512
from pathlib import Path

import pytest

from cartulary.records.exchange.signers import find_signer, read_signers
from cartulary.records.exchange.signing import PublicKey, read_key, read_public, read_signature
from cartulary.records.faults import Unfit
from tests.records.keyring import by_ssh, keyring, public, ssh_keygen


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return keyring(tmp_path_factory.mktemp("keys"))


# --- signatures ---


@pytest.mark.smoke
def test_the_same_key_signs_the_same_bytes_alike(keys: Path) -> None:
    """Ed25519 draws no lots: our signature is, byte for byte, the one ssh-keygen makes."""
    data = b"any bytes at all"
    words = ("-Y", "sign", "-f", str(keys / "club"), "-n", "cartulary")
    theirs = ssh_keygen(*words, stdin=data).stdout.decode()
    ours = read_key((keys / "club").read_bytes(), str).sign(sha512(data).digest())
    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a signature as OpenSSH writes it"),
        ("-----BEGIN SSH SIGNATURE-----\n!!!\n-----END SSH SIGNATURE-----", "cut off or altered"),
        ("-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAg==\n-----END SSH SIGNATURE-----", "cut off or altered"),
    ],
)
def test_what_is_no_signature_says_so(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_signature(text)


def test_a_signature_of_another_kind_of_key_is_told(keys: Path) -> None:
    signed = ssh_keygen("-Y", "sign", "-f", str(keys / "ecdsa"), "-n", "cartulary", stdin=b"x").stdout.decode()
    with pytest.raises(ValueError, match="ecdsa-sha2-nistp256, which only ssh-keygen can check"):
        read_signature(signed)


@pytest.mark.parametrize("at", range(0, 265, 11))
def test_a_signature_with_any_sign_changed_is_refused(keys: Path, at: int) -> None:
    digest = sha512(b"any bytes at all").digest()
    text = read_key((keys / "club").read_bytes(), str).sign(digest)
    place = text.index("\n") + 1 + at
    place += text[place] in "\n="
    changed = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
    try:
        signature = read_signature(changed)
    except ValueError:
        return
    _, because = find_signer(signature.key, read_signers((keys / "allowed").read_text("ascii")))
    assert because or not signature.holds(digest)


# --- keys and signers ---


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("club.pub", "a public key; expected a private key, without .pub"),
        ("allowed", "not a private key as OpenSSH writes it"),
        ("ecdsa", "a key of the kind ecdsa-sha2-nistp256; archives need an Ed25519 key"),
    ],
)
def test_a_key_that_cannot_sign_is_refused_in_a_sentence(keys: Path, name: str, says: str) -> None:
    with pytest.raises(Unfit, match=says):
        read_key((keys / name).read_bytes(), str, name)


def test_a_key_cut_anywhere_is_refused_in_a_sentence(keys: Path) -> None:
    data = (keys / "club").read_bytes()
    for at in range(0, len(data) - 30, 17):
        with pytest.raises(Unfit):
            read_key(data[:at], str)
        with pytest.raises(Unfit):
            read_key(data[:at] + b"\n-----END OPENSSH PRIVATE KEY-----\n", str)


def test_a_fingerprint_is_the_one_ssh_keygen_prints(keys: Path) -> None:
    shown = ssh_keygen("-l", "-f", str(keys / "club.pub")).stdout.decode().split()[1]
    assert read_public((keys / "club.pub").read_text("ascii")).fingerprint == shown


@pytest.mark.parametrize(
    ("line", "wanted", "counts"),
    [
        ("{key}", "", True),
        ("{key}", "anybody", True),
        ("club@example {key} a comment", "club@example", True),
        ("*@example,!eve@example {key}", "eve@example", False),
        ("*@example,!eve@example {key}", "club@example", True),
        ("cl?b {key}", "club", True),
        ('club namespaces="file,cartu*" {key}', "club", True),
        ('club namespaces="file" {key}', "club", False),
        ('club valid-after="20200101",valid-before="20210101Z" {key}', "club", False),
        ('club valid-after="20200101120000" {key}', "club", True),
        ('club valid-after="29990101" {key}', "club", False),
        ("club cert-authority {key}\nclub {key}", "club", True),
        ("# a comment\n\nclub {key}", "club", True),
        ("eve {key}\nclub {key}", "club", True),
    ],
)
def test_signers_are_read_as_ssh_keygen_reads_them(
    keys: Path, tmp_path: Path, line: str, wanted: str, counts: bool
) -> None:
    text = line.format(key=public(keys)) + "\n"
    signers = read_signers(text)
    assert (find_signer(read_public(public(keys)), signers, wanted)[1] == "") is counts
    if not line.startswith("{key}"):
        (tmp_path / "allowed").write_text(text, "ascii")
        signature = tmp_path / "x.sig"
        signature.write_text(read_key((keys / "club").read_bytes(), str).sign(sha512(b"x").digest()), "ascii")
        assert by_ssh(tmp_path, signature, b"x", wanted) is counts


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names nobody"),
        ("club\n", "line 1: expected PRINCIPALS"),
        ("club ssh-ed25519\n", "line 1: expected PRINCIPALS"),
        ("club ssh-ed25519 AAAA\n", "cut off or altered"),
        ("club ssh-rsa AAAA\n", "names nobody"),
        ('club valid-after="soon" {key}\n', "the time 'soon'"),
        ('club valid-after="20201399" {key}\n', "line 1: found"),
    ],
)
def test_a_signers_file_that_cannot_be_read_says_so_with_the_line(keys: Path, text: str, says: str) -> None:
    with pytest.raises(Unfit, match=says):
        read_signers(text.format(key=public(keys)))


def test_a_stranger_is_named_by_the_fingerprint() -> None:
    key = PublicKey(b"any")
    assert find_signer(key, ())[1] == f"the key {key.fingerprint} belongs to no allowed signer"
