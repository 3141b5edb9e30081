#!/usr/bin/env python3
"""usage: read.py STORE DEVICE-KEY <PASSCODE-FILE: prints what a store of format 1 holds

A second reader, written from docs/store-format.md alone: over libsodium and SQLite, without any of the product's code.
"""
import ctypes
import ctypes.util
import sqlite3
import struct
import sys
import unicodedata

sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
assert sodium.sodium_init() >= 0


def H(data, key=b""):
    out = ctypes.create_string_buffer(32)
    sodium.crypto_generichash(out, ctypes.c_size_t(32), data, ctypes.c_ulonglong(len(data)), key, ctypes.c_size_t(len(key)))
    return out.raw


def D(key, label, a=b"", b=b""):
    return H(label + b"\0" + struct.pack("<Q", len(a)) + a + struct.pack("<Q", len(b)) + b, key)


def K(key, label, context=None):
    return H(label if context is None else label + b"\0" + context, key)


def open_sealed(key, nonce_and_text, tag, ad):
    out = ctypes.create_string_buffer(max(1, len(nonce_and_text) - 24))
    sealed = nonce_and_text[24:] + tag
    result = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        out, None, None, sealed, ctypes.c_ulonglong(len(sealed)), ad, ctypes.c_ulonglong(len(ad)), nonce_and_text[:24], key)
    assert result == 0, "does not open"
    return out.raw[: len(nonce_and_text) - 24]


def stretch(passcode, salt, passes, memory):
    out = ctypes.create_string_buffer(32)
    assert 0 == sodium.crypto_pwhash(
        out, ctypes.c_ulonglong(32), passcode, ctypes.c_ulonglong(len(passcode)), salt, ctypes.c_ulonglong(passes),
        ctypes.c_size_t(memory * 1024), 2)
    return out.raw


def counted(data, at):
    (count,) = struct.unpack_from("<H", data, at)
    return data[at + 2 : at + 2 + count], at + 2 + count


def metadata_of(data):
    layout, created, modified, size = struct.unpack_from("<BqqI", data)
    assert layout == 1
    name, at = counted(data, 21)
    kind, at = counted(data, at)
    (count,) = struct.unpack_from("<H", data, at)
    at += 2
    pairs = []
    for _ in range(count):
        key, at = counted(data, at)
        value, at = counted(data, at)
        pairs.append((key, value))
    return name, kind, pairs, created, modified, size


def main():
    database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
    device_key = open(sys.argv[2], "rb").read()
    passcode = unicodedata.normalize("NFC", sys.stdin.read()).encode()
    ((store,),) = database.execute("SELECT store FROM store")

    ((slot,),) = database.execute("SELECT body FROM slot")
    header, commitment, wrapped = slot[:60], slot[60:92], slot[92:164]
    assert len(slot) == 196 and slot[164:] == H(store + slot[:164])
    layout, kind, device, rule, slot_id, generation, derivation, passes, memory = struct.unpack_from("<BBBBIQIII", header)
    assert (layout, kind, rule, derivation) == (1, 1, 1, 1)
    slot_key = K(stretch(passcode, header[28:44], passes, memory), b"passcoded/v1/slot", device_key if device else None)
    if device:
        assert header[44:60] == D(device_key, b"passcoded/v1/device-key-id")[:16]
    assert commitment == D(slot_key, b"passcoded/v1/slot-commitment", store, header), "wrong passcode"
    ad = b"passcoded/v1/slot-wrap" + store + header + commitment
    store_key = open_sealed(slot_key, wrapped[:56], wrapped[56:], ad)
    keys = {name: K(store_key, b"passcoded/v1/" + name) for name in (b"record", b"name-tag", b"attribute-tag", b"state")}

    ((ledger,),) = database.execute("SELECT body FROM ledger")
    assert len(ledger) == 216 and ledger[184:] == H(store + ledger[:184])
    failures, distinct, wait = struct.unpack_from("<IIQ", ledger, 4)
    print(f"ledger: {failures} wrong, {distinct} different, {wait} ms")

    ((sealed,),) = database.execute("SELECT sealed FROM state")
    state = open_sealed(keys[b"state"], sealed[:-16], sealed[-16:], b"passcoded/v1/state" + store)
    records, versions = struct.unpack_from("<QQ", state, 33)
    (slots,) = struct.unpack_from("<B", state, 193)
    assert struct.unpack_from("<IQ", state, 194) == (slot_id, generation) and slots == 1

    def part(number, record, revision, body, tag):
        ad = b"\1" + store + record + bytes([number]) + struct.pack("<q", revision)
        plain = open_sealed(keys[b"record"], body, tag, ad)
        (count,) = struct.unpack_from("<I", plain)
        return plain[4 : 4 + count]

    record_sum, lines = 0, []
    columns = "tag, id, metadata_revision, secret_revision, folders, attributes, metadata_tag, secret_tag, metadata, secret"
    for tag, record, m, s, folders, attributes, m_tag, s_tag, body, secret in database.execute(f"SELECT {columns} FROM record"):
        name, kind, pairs, created, modified, size = metadata_of(part(1, record, m, body, m_tag))
        value = part(2, record, s, secret, s_tag)
        assert tag == D(keys[b"name-tag"], b"name", name)[:16] and size == len(value)
        parents = [name[:at] for at in range(len(name)) if name[at : at + 1] == b"/"]
        assert folders == b"".join(D(keys[b"name-tag"], b"folder", folder)[:16] for folder in parents)
        assert attributes == b"".join(D(keys[b"attribute-tag"], b"attribute", *pair)[:16] for pair in pairs)
        row = tag + record + struct.pack("<I", len(folders) // 16) + folders + struct.pack("<I", len(attributes) // 16)
        row += attributes + struct.pack("<q", m) + m_tag + struct.pack("<q", s) + s_tag
        record_sum += int.from_bytes(D(keys[b"state"], b"passcoded/v1/record-row", row), "little")
        shown = value if len(value) < 40 else f"{len(value)} bytes, H {H(value)[:8].hex()}"
        lines.append(f"{name.decode()}: {shown} {kind.decode()} {pairs} {created} {modified}")
    assert len(lines) == records and state[49:81] == (record_sum % 2**256).to_bytes(32, "little")

    version_sum = 0
    columns = "name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret"
    for tag, record, m, s, m_tag, s_tag, body, secret in database.execute(f"SELECT {columns} FROM version"):
        row = tag + record + struct.pack("<q", m) + m_tag + struct.pack("<q", s) + s_tag
        version_sum += int.from_bytes(D(keys[b"state"], b"passcoded/v1/version-row", row), "little")
        lines.append(f"earlier {metadata_of(part(1, record, m, body, m_tag))[0].decode()}: {part(2, record, s, secret, s_tag)}")
        versions -= 1
    assert versions == 0 and state[81:113] == (version_sum % 2**256).to_bytes(32, "little")
    print("\n".join(sorted(lines)))


main()
