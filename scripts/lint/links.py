#!/usr/bin/env python3
"""Checks that every relative link of README.md and docs/ leads to a file, and to a heading in it.

usage: scripts/lint/links.py FOLDER     (the folder of README.md: this repository, or share/doc/passcoded of an installation)
"""
import pathlib
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(```.*?^```)|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def documents(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def without_code(text):
    """The text with code blanked out, line for line; a link's own text may be code."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", "x", match.group()), text)


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults(root):
    found = []
    for path in documents(root):
        text = without_code(path.read_text())
        for match in LINK.finditer(text):
            target, _, anchor = match.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            aim = (path.parent / target) if target else path
            if not aim.exists():
                found.append(f"{place}: leads to {target}, which is not there")
            elif anchor and anchor not in anchors(aim):
                found.append(f"{place}: leads to the heading #{anchor}, which is not in {aim.name}")
    return found


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    found = faults(pathlib.Path(sys.argv[1]))
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
