#!/usr/bin/env python3
"""Lints the Swift sources: unsafe budget, SAFETY lines, file and function length, words that mean unfinished work.

usage: scripts/lint/sources.py [--counts]        (--counts prints the use of `unsafe` in the budget's form, and stops)
"""
import collections
import pathlib
import re
import sys

from swift_text import code_only

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUDGET = ROOT / "scripts" / "unsafe-budget.txt"
FILE_LINES, FUNCTION_LINES = 300, 40
SLACK = 20  # from so many below its budget on a module is reported: the budget wants lowering
UNFINISHED = re.compile(r"\b(TO[D]O|FI[X]ME|X[X]X|HA[C]K)\b|\bfor[ ]now\b", re.IGNORECASE)
TEXT_SUFFIXES = {".swift", ".c", ".h", ".md", ".py", ".sh", ".json", ".varlink", ""}
FUNCTION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+|[a-z]+(?:\(set\))?\s+)*(func\s+[^\s(<]+|init[?!]?|deinit|subscript)\s*[(<{]")
faults = []


def fault(path, line, text):
    faults.append(f"{path.relative_to(ROOT)}:{line}: {text}")


def swift_files(folder):
    return sorted((ROOT / folder).rglob("*.swift"))


def unsafe_counts():
    counts = collections.Counter()
    for path in swift_files("Sources"):
        module = path.relative_to(ROOT / "Sources").parts[0]
        counts[module] += len(re.findall(r"\bunsafe\b", code_only(path.read_text())))
    return counts


def check_budget():
    budget = {}
    for line in BUDGET.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            module, count = line.split()
            budget[module] = int(count)
    for module, count in sorted(unsafe_counts().items()):
        allowed = budget.get(module, 0)
        if count > allowed:
            faults.append(f"{BUDGET.name}: {module} says `unsafe` {count} times, {allowed} are allowed")
        elif allowed - count >= SLACK:
            print(f"note: {BUDGET.name} allows {module} {allowed}, it needs {count}")


def check_safety_lines(path, lines, code):
    for number, line in enumerate(code, 1):
        if re.search(r"@unchecked\b|nonisolated\(unsafe\)", line):
            if not any("SAFETY:" in near for near in lines[max(0, number - 9) : number + 2]):
                fault(path, number, "@unchecked or nonisolated(unsafe) without a SAFETY: line beside it")


def long_functions(path, code):
    """Each function over the limit as (lines, place, name); the count runs from its first line to its closing brace."""
    for start, line in enumerate(code):
        if not (match := FUNCTION.match(line)):
            continue
        depth, opened = 0, False
        for end in range(start, len(code)):
            if not opened and end > start and FUNCTION.match(code[end]):
                break  # a requirement of a protocol: it has no body
            for character in code[end]:
                depth += (character == "{") - (character == "}")
                opened = opened or character == "{"
            if depth < 0 or opened and depth == 0:
                if opened and end - start + 1 > FUNCTION_LINES:
                    yield end - start + 1, f"{path.relative_to(ROOT)}:{start + 1}", match.group(1)
                break


def check_unfinished():
    for folder in ("Sources", "Tests", "Examples", "Benchmarks", "Fuzz", "docs", "scripts", ".ci"):
        for path in sorted((ROOT / folder).rglob("*")):
            relative = path.relative_to(ROOT).parts
            if not path.is_file() or path.suffix not in TEXT_SUFFIXES or ".build" in relative or "Vectors" in relative:
                continue
            if path.suffix == ".c" and path.read_text(errors="replace").startswith("// Generated"):
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if match := UNFINISHED.search(line):
                    fault(path, number, f"unfinished: '{match.group()}'")


def main():
    if "--counts" in sys.argv:
        for module, count in sorted(unsafe_counts().items()):
            print(module, count)
        return
    check_budget()
    long = []
    for path in swift_files("Sources"):
        lines = path.read_text().splitlines()
        code = code_only(path.read_text()).splitlines()
        if len(lines) > FILE_LINES:
            fault(path, len(lines), f"{len(lines)} lines, {FILE_LINES} are allowed")
        check_safety_lines(path, lines, code)
        long += long_functions(path, code)
    check_unfinished()
    for length, place, name in sorted(long, reverse=True):
        print(f"note: {place}: {name} has {length} lines, {FUNCTION_LINES} is the aim")
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    sys.exit(bool(faults))


main()
