#!/usr/bin/env python3
"""Writes argon2id.txt with libargon2, the reference implementation (Debian: libargon2-1). The library uses libsodium.

    ./make-argon2id-vectors.py > argon2id.txt

A line whose passcode and salt are text can be had from the program `argon2` too, as the line's comment says.
"""
import ctypes
import hashlib
import shlex

argon2 = ctypes.CDLL("libargon2.so.1")


def derive(passes, memory, passcode, salt):
    key = ctypes.create_string_buffer(32)
    failed = argon2.argon2id_hash_raw(passes, memory, 1, passcode, len(passcode), salt, len(salt), key, 32)
    assert not failed, failed
    return key.raw


def stream(seed, count):
    """Bytes that are the same everywhere."""
    return hashlib.shake_128(seed.encode()).digest(count)


FLOOR = 19 * 1024
CASES = [
    (2, FLOOR, b"password", b"somesaltsomesalt"),
    (2, FLOOR, b"Correct Horse Battery Staple", b">A 16-bytes salt"),
    (2, FLOOR, "café 안녕 🔐".encode(), b"0123456789abcdef"),
    (2, FLOOR, b"", b"0123456789abcdef"),
    (2, FLOOR, b"0000", bytes(16)),
    (2, FLOOR, b"0000", bytes([255]) * 16),
    (2, FLOOR, stream("passcode 127", 127), stream("salt 127", 16)),
    (2, FLOOR, stream("passcode 128", 128), stream("salt 128", 16)),
    (2, FLOOR, stream("passcode 1024", 1024), stream("salt 1024", 16)),
    (2, FLOOR, stream("passcode 3072", 3072), stream("salt 3072", 16)),
    (3, FLOOR, b"password", b"somesaltsomesalt"),
    (16, FLOOR, b"password", b"somesaltsomesalt"),
    (2, FLOOR + 1, b"password", b"somesaltsomesalt"),
    (2, 20_003, b"password", b"somesaltsomesalt"),
    (2, 65_536, b"password", b"somesaltsomesalt"),
    (3, 65_536, b"Correct Horse Battery Staple", b">A 16-bytes salt"),
]

print(
    "# Argon2id version 1.3, one lane, 32-byte keys. Made by make-argon2id-vectors.py with libargon2.\n"
    "# passes memoryKiB passcode salt key; bytes in hex, - for none. Class: every line derives the key."
)
for passes, memory, passcode, salt in CASES:
    if passcode and passcode.isascii() and passcode.decode().isprintable() and salt.isascii() and salt.decode().isprintable():
        command = f"argon2 {shlex.quote(salt.decode())} -id -t {passes} -k {memory} -p 1 -l 32 -r"
        print(f"# printf %s {shlex.quote(passcode.decode())} | {command}")
    print(passes, memory, passcode.hex() or "-", salt.hex(), derive(passes, memory, passcode, salt).hex())
