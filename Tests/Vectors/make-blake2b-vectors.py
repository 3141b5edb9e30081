#!/usr/bin/env python3
"""Writes blake2b.txt with Python's hashlib, whose BLAKE2 is the reference implementation. The library uses libsodium.

    ./make-blake2b-vectors.py > blake2b.txt
"""
import hashlib

BLOCK = 128


def stream(seed, count):
    """Bytes that are the same everywhere."""
    return hashlib.shake_128(seed.encode()).digest(count)


def blake2b(message, key=b""):
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


def counted(part):
    return len(part).to_bytes(8, "little") + part


def line(*fields):
    print(*(field if isinstance(field, str) else field.hex() or "-" for field in fields))


print(
    "# BLAKE2b with 32-byte digests. Made by make-blake2b-vectors.py with hashlib.\n"
    "# Bytes in hex, - for none; labels are text. Class: every line gives its last field.\n"
    "#   plain message digest            no key\n"
    "#   keyed key message digest        a 32-byte key\n"
    "#   tag key label first second tag  keyed: label ‖ 0 ‖ length(first) ‖ first ‖ length(second) ‖ second\n"
    "#   subkey key label context key    keyed: label ‖ 0 ‖ context, or, where the context is none, label alone"
)
sequence = bytes(range(256)) * 5
LENGTHS = [0, 1, 2, 31, 32, 33, 63, 64, 65, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 1000]
for length in LENGTHS:
    line("plain", sequence[:length], blake2b(sequence[:length]))
for length in LENGTHS:
    key = stream(f"key {length}", 32)
    line("keyed", key, sequence[:length], blake2b(sequence[:length], key))
for key in (bytes(32), bytes([255]) * 32, bytes(range(32))):
    line("keyed", key, b"abc", blake2b(b"abc", key))
for label in ("test/v1/name", "test/v1/folder"):
    for first, second in (
        (b"", b""),
        (b"work/aws/prod", b""),
        (b"", b"work/aws/prod"),
        (b"a", b"bc"),
        (b"ab", b"c"),
        (stream("first", 100), stream("second", 300)),
    ):
        key = stream(f"tag {label}", 32)
        line("tag", key, label, first, second, blake2b(label.encode() + b"\0" + counted(first) + counted(second), key))
for label in ("test/v1/name", "test/v1/folder"):
    key = stream(f"subkey {label}", 32)
    line("subkey", key, label, b"", blake2b(label.encode(), key))
    for context in (b"\0", b"context", stream("context", 200)):
        line("subkey", key, label, context, blake2b(label.encode() + b"\0" + context, key))
