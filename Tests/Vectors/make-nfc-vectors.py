#!/usr/bin/env python3
"""Writes the two files of normal forms. The library uses libutf8proc.

    pip download --no-deps --no-binary :all: pyunormalize==15.0.0 && tar xzf pyunormalize-15.0.0.tar.gz
    PYTHONPATH=pyunormalize-15.0.0 ./make-nfc-vectors.py pyunormalize-15.0.0/pyunormalize/test/data/NormalizationTest.txt

nfc-unicode15.txt  a sample of Unicode's NormalizationTest.txt (15.0.0): its parts 0 and 3, and a part of the others.
nfc-random.txt     300 random texts of code points that Unicode 14 assigns, and their normal forms by Python's unicodedata.

Both are checked against pyunormalize, a third implementation. The same input gives the same bytes.
"""
import hashlib
import pathlib
import random
import sys
import unicodedata

import pyunormalize

HERE = pathlib.Path(__file__).resolve().parent
TEST_FILE = "fb9ac8cc154a80cad6caac9897af55a4e75176af6f4e2bb6edc2bf8b1d57f326"
SEED = 15
# One line of so many is taken from a part of NormalizationTest.txt.
STEP = {"@Part0": 1, "@Part1": 40, "@Part2": 6, "@Part3": 1}

# Where normalisation has work to do, and neighbours that it must leave alone.
RANGES = {
    "ASCII": (0x20, 0x7E),
    "Latin": (0xA0, 0x24F),
    "combining marks": (0x300, 0x36F),
    "Greek": (0x370, 0x3FF),
    "Cyrillic": (0x400, 0x4FF),
    "Hebrew": (0x591, 0x5F4),
    "Arabic": (0x600, 0x6FF),
    "Devanagari": (0x900, 0x97F),
    "Bengali to Malayalam": (0x980, 0xD7F),
    "Tibetan": (0xF00, 0xFFF),
    "Hangul jamo": (0x1100, 0x11FF),
    "Latin additional": (0x1E00, 0x1EFF),
    "Greek extended": (0x1F00, 0x1FFF),
    "joiners and punctuation": (0x2000, 0x206F),
    "marks for symbols": (0x20D0, 0x20F0),
    "letter-like": (0x2100, 0x214F),
    "kana": (0x3041, 0x30FF),
    "CJK": (0x4E00, 0x9FFF),
    "Hangul": (0xAC00, 0xD7A3),
    "CJK compatibility": (0xF900, 0xFAFF),
    "presentation forms": (0xFB1D, 0xFDFF),
    "full width": (0xFF01, 0xFFEE),
    "Brahmi scripts": (0x11000, 0x1135F),
    "music": (0x1D100, 0x1D1FF),
    "emoji": (0x1F300, 0x1FAFF),
    "CJK supplement": (0x2F800, 0x2FA1D),
}


def field(text):
    return text.encode().hex()


def checked(raw, nfc):
    assert pyunormalize.NFC(raw) == nfc, raw
    assert pyunormalize.NFC(nfc) == nfc, raw
    return f"{field(raw)} {field(nfc)}"


def sample(path):
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == TEST_FILE, "another NormalizationTest.txt"
    part, count = "", 0
    for line in data.decode().splitlines():
        if line.startswith("@Part"):
            part, count = line.split()[0], 0
            yield f"# {line}"
        elif line and not line.startswith(("#", "@")):
            source, nfc, nfd = ("".join(chr(int(c, 16)) for c in column.split()) for column in line.split(";")[:3])
            if count % STEP[part] == 0:
                yield checked(source, nfc)
                if nfd not in (source, nfc):
                    yield checked(nfd, nfc)
            count += 1


def random_texts():
    generator = random.Random(SEED)
    alphabets = {
        name: [chr(c) for c in range(first, last + 1) if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
        for name, (first, last) in RANGES.items()
    }
    for _ in range(300):
        names = generator.sample(sorted(alphabets), generator.randint(1, 4)) + ["combining marks"]
        letters = [generator.choice(alphabets[generator.choice(names)]) for _ in range(generator.randint(1, 40))]
        raw = "".join(letters)
        form = generator.choice(["as drawn", "NFC", "NFD"])
        raw = raw if form == "as drawn" else unicodedata.normalize(form, raw)
        yield checked(raw, unicodedata.normalize("NFC", raw))


def write(name, head, lines):
    (HERE / name).write_text(head + "\n".join(lines) + "\n")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    assert unicodedata.unidata_version == "14.0.0" and pyunormalize.UCD_VERSION == "15.0.0"
    form = "# text nfc, each as UTF-8 in hex. Class: every text gives its normal form.\n"
    write(
        "nfc-unicode15.txt",
        "# A sample of NormalizationTest-15.0.0.txt, made by make-nfc-vectors.py.\n"
        "# © 2022 Unicode®, Inc.; licence: LICENSE-unicode.txt.\n" + form,
        sample(pathlib.Path(sys.argv[1])),
    )
    write("nfc-random.txt", f"# Random texts (seed {SEED}), made by make-nfc-vectors.py.\n" + form, random_texts())


main()
