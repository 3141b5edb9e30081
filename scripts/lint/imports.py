#!/usr/bin/env python3
"""Checks that each target imports only what Package.swift gives it, and the system modules listed here.

usage: swift package describe --type json | scripts/lint/imports.py

SwiftPM refuses upward imports but accepts any module in a target's closure; this is what keeps libsodium in
SecretMemory, SQLite in PasscodeStore, and Foundation out of everything.
"""
import json
import pathlib
import re
import sys

from swift_text import code_only

SYSTEM = {"Glibc", "Synchronization"}
TEST_ONLY = {"Testing"}
IMPORT = re.compile(
    r"\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?"
    r"import\s+(?:(?:struct|class|enum|func|var|let|protocol|typealias)\s+)?(\w+)"
)


def main():
    faults = 0
    package = json.load(sys.stdin)
    for target in package["targets"]:
        if target["module_type"] != "SwiftTarget":
            continue
        allowed = {name.replace("-", "_") for name in target.get("target_dependencies", [])} | SYSTEM
        if target["path"].startswith("Tests"):
            allowed |= TEST_ONLY
        for source in target["sources"]:
            path = pathlib.Path(package["path"], target["path"], source)
            for number, line in enumerate(code_only(path.read_text()).splitlines(), 1):
                match = IMPORT.match(line)
                if match and match.group(1) not in allowed:
                    place = f"{target['path']}/{source}:{number}"
                    print(f"{place}: {target['name']} may not import {match.group(1)}", file=sys.stderr)
                    faults += 1
    sys.exit(faults > 0)


main()
