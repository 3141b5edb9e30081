#!/usr/bin/env python3
"""Checks what the shipped programs are: what they link and how they are hardened, read with readelf.

usage: scripts/lint/binaries.py FOLDER
"""
import pathlib
import re
import subprocess
import sys

BASE = {"libc.so", "libm.so", "ld-linux", "libsodium.so", "libutf8proc.so"}
ALLOWED = {
    "passcode": BASE,
    "passcoded": BASE | {"libsqlite3.so", "libpcre2-8.so", "libzxcvbn.so"},
    "passcode-keyring": BASE | {"libsecret-1.so", "libglib-2.0.so", "libgobject-2.0.so", "libgio-2.0.so"},
    "passcode-logind": BASE | {"libsystemd.so"},
    "passcode-consent": BASE | {"libcmark-gfm.so", "libcmark-gfm-extensions.so", "libxml2.so"},
    "passcode-consent-pdf": BASE
    | {"libcairo.so", "libpango-1.0.so", "libpangocairo-1.0.so", "libharfbuzz.so", "libglib-2.0.so", "libgobject-2.0.so"},
}
# Linked statically it would not be in NEEDED; its mangled names stay in the metadata of the binary.
FORBIDDEN_TEXT = (b"FoundationEssentials", b"$s10Foundation")
faults = []


def readelf(flag, path):
    return subprocess.run(["readelf", flag, "-W", path], check=True, capture_output=True, text=True).stdout


def check(path):
    def expect(holds, text):
        if not holds:
            faults.append(f"{path.name}: {text}")

    dynamic, segments, header = readelf("-d", path), readelf("-l", path), readelf("-h", path)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    for library in needed:
        expect(any(library.startswith(name) for name in ALLOWED[path.name]), f"links {library}")
    expect(re.search(r"Type:\s+DYN", header) and re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic), "is not position-independent")
    expect(re.search(r"\(FLAGS_1\).*\bNOW\b", dynamic), "binds lazily: the resolver spills registers with secrets in them")
    expect("GNU_RELRO" in segments, "has no RELRO segment")
    expect(not re.search(r"\((RPATH|RUNPATH)\)", dynamic), "searches libraries in a folder of its own (RUNPATH)")
    expect(not re.search(r"GNU_STACK.*\bRWE\b", segments), "has an executable stack")
    expect(not re.search(r"LOAD .*\bRWE\b", segments), "has memory that is both writable and executable")
    content = path.read_bytes()
    for text in FORBIDDEN_TEXT:
        expect(text not in content, f"holds Foundation ({text.decode()})")
    print(f"{path.name}: {len(content) / 1e6:.1f} MB, links {' '.join(needed)}")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    for name in ALLOWED:
        check(pathlib.Path(sys.argv[1], name))
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    sys.exit(bool(faults))


main()
