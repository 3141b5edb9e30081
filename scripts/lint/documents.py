#!/usr/bin/env python3
"""Lints what others read: the .varlink files, the JSON Schemas of policies and forms with their examples, and the links and the Swift of the documents.

usage: scripts/lint/documents.py        (needs the PyPI packages varlink and jsonschema: scripts/check has them)
"""
import json
import pathlib
import re
import sys
import textwrap

import jsonschema
import varlink.scanner

import links

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBER = re.compile(r"^(interface|type|method|error)\s+([\w.\-]+)")
faults = []


def members(text):
    """(line number, keyword, name, leading comment, body lines): the comment is what stands directly above a member."""
    comment, current = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if match := MEMBER.match(line):
            if current:
                yield current
            current = (number, match.group(1), match.group(2), " ".join(comment), [])
            comment = []
        elif line.startswith("#"):
            comment.append(line)
        elif not line.strip():
            comment = []
        if current and not line.startswith("#"):
            current[4].append(line)
    if current:
        yield current


def undocumented(comment, body):
    """The fields of a member that no comment speaks of: none above it, at its end, or on the member naming it."""
    above = False
    every_comment = comment + " " + " ".join(line.partition("#")[2] for line in body)
    for line in body:
        code, _, trailing = line.partition("#")
        for name in re.findall(r"\b([A-Za-z]\w*)\s*:", code):
            if not (above or trailing or re.search(rf"\b{name}\b", every_comment)):
                yield name
        above = not code.strip() and bool(trailing)


def check_idl(path):
    text = path.read_text()
    place = path.relative_to(ROOT)
    try:
        varlink.scanner.Interface(text)
    except (SyntaxError, ValueError) as error:
        faults.append(f"{place}: {error}")
        return
    found = list(members(text))
    declared = {name for _, keyword, name, _, _ in found if keyword == "type"}
    for number, keyword, name, comment, body in found:
        if not comment:
            faults.append(f"{place}:{number}: {keyword} {name} has no comment above it")
        for field in undocumented(comment, body):
            faults.append(f"{place}:{number}: no comment of {keyword} {name} says what {field} is")
        code = " ".join(line.partition("#")[0] for line in body)
        for used in set(re.findall(r"[:\]?]\s*([A-Z]\w*)", code)) - declared:
            faults.append(f"{place}:{number}: {keyword} {name} uses the type {used}, which is not declared")
    if found and found[0][2] != path.name.removesuffix(".varlink"):
        faults.append(f"{place}: holds the interface {found[0][2]}, not the one of its name")


def check_policy():
    example, schema = ROOT / "policy.example.json", ROOT / "docs" / "policy.schema.json"
    try:
        rules, shown = (json.loads(path.read_text()) for path in (schema, example))
        validator = jsonschema.validators.validator_for(rules)
        validator.check_schema(rules)
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        faults.append(f"policy: {error}")
        return
    for error in validator(rules).iter_errors(shown):
        faults.append(f"{example.name}: {error.json_path}: {error.message}")
    if validator(rules).is_valid({"noSuchKey": 1}):
        faults.append(f"{schema.name}: accepts an unknown key")


def check_forms():
    schema = ROOT / "docs" / "consent-form.schema.json"
    try:
        rules = json.loads(schema.read_text())
        validator = jsonschema.validators.validator_for(rules)
        validator.check_schema(rules)
        forms = {path: json.loads(path.read_text()) for path in sorted((ROOT / "Examples" / "Consent").glob("*.json"))}
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        faults.append(f"consent forms: {error}")
        return
    for path, form in forms.items():
        for error in validator(rules).iter_errors(form):
            faults.append(f"{path.relative_to(ROOT)}: {error.json_path}: {error.message}")
        if validator(rules).is_valid(form | {"noSuchKey": 1}):
            faults.append(f"{schema.name}: accepts an unknown key")
        if validator(rules).is_valid(form | {"kind": "consent", "processing": None}):
            faults.append(f"{schema.name}: accepts a consent that does not say what is done with whose data")


def trimmed(text):
    """The lines of a text without what all of them are indented by."""
    return textwrap.dedent(text).strip("\n")


def check_swift():
    """Swift in a document stands word for word in a program of Examples, which scripts/examples builds and runs."""
    programs = [path.read_text().splitlines() for path in sorted((ROOT / "Examples" / "Sources").rglob("*.swift"))]
    for path in links.documents(ROOT):
        text = path.read_text()
        for match in re.finditer(r"^```swift\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            wanted = trimmed(match.group(1))
            size = len(wanted.splitlines())
            if not any(
                trimmed("\n".join(lines[start : start + size])) == wanted for lines in programs for start in range(len(lines))
            ):
                line = text.count("\n", 0, match.start()) + 1
                faults.append(f"{path.relative_to(ROOT)}:{line}: this Swift is not word for word in a program of Examples")


for idl in sorted((ROOT / "Sources" / "PasscodeWire" / "IDL").glob("*.varlink")):
    check_idl(idl)
check_policy()
check_forms()
check_swift()
faults += links.faults(ROOT)
print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
sys.exit(bool(faults))
