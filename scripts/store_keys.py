"""The keys of a store, by a reader of its file that shares no code with the product: docs/store-format.md, §4, §5."""
import ctypes
import ctypes.util
import pathlib
import shutil
import sqlite3
import struct
import tempfile

LABELS = ("record", "name-tag", "attribute-tag", "state", "history", "consent")
sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
assert sodium.sodium_init() >= 0


def subkey(key, label, context=None):
    data = label if context is None else label + b"\0" + context
    out = ctypes.create_string_buffer(32)
    sodium.crypto_generichash(out, ctypes.c_size_t(32), data, ctypes.c_ulonglong(len(data)), key, ctypes.c_size_t(len(key)))
    return out.raw


def stretch(passcode, salt, passes, memory_kib):
    out = ctypes.create_string_buffer(32)
    memory = ctypes.c_size_t(memory_kib * 1024)
    result = sodium.crypto_pwhash(
        out, ctypes.c_ulonglong(32), passcode, ctypes.c_ulonglong(len(passcode)), salt, ctypes.c_ulonglong(passes), memory, 2)
    assert result == 0, "no memory for the derivation"
    return out.raw


def rows(store, query):
    """Asks a copy of the file and its log: the daemon has the original."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if pathlib.Path(f"{store}{suffix}").exists():
                shutil.copy(f"{store}{suffix}", f"{folder}/store.db{suffix}")
        database = sqlite3.connect(f"{folder}/store.db")
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()


def keys(store, passcode, device_key=None):
    """The stretched passcode, the slot's key, the store's key and those that are derived from it."""
    ((store_id,),) = rows(store, "SELECT store FROM store")
    ((slot,),) = rows(store, "SELECT body FROM slot WHERE id = 1")
    header, commitment, wrapped = slot[:60], slot[60:92], slot[92:164]
    passes, memory = struct.unpack_from("<II", header, 20)
    stretched = stretch(passcode, header[28:44], passes, memory)
    slot_key = subkey(stretched, b"passcoded/v1/slot", device_key)
    bound = b"passcoded/v1/slot-wrap" + store_id + header + commitment
    store_key = ctypes.create_string_buffer(32)
    result = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        store_key, None, None, wrapped[24:], ctypes.c_ulonglong(48), bound, ctypes.c_ulonglong(len(bound)), wrapped[:24], slot_key)
    assert result == 0, "the slot does not open"
    derived = {f"{label} key": subkey(store_key.raw, b"passcoded/v1/" + label.encode()) for label in LABELS}
    return {"stretched passcode": stretched, "slot key": slot_key, "store key": store_key.raw} | derived
