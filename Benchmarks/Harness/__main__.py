"""Runs the measures. scripts/bench builds what this needs and starts it; see there for what the options do."""
import argparse
import hashlib
import os
import pathlib
import shutil
import sys
import tempfile

import machine
from daemon import DERIVATION_MIB, PASSCODE, Home
from measures import ALL, SECRET_BYTES
from report import TOLERANCE, document, table
from tools import run


class Bench:
    """Where the programs are, the throw-away home, and fresh copies of filled stores."""

    def __init__(self, options, home):
        self.release, self.programs = options.release, options.programs
        self.swift_programs, self.stores = options.swift_programs, options.stores
        self.home, self.rounds = home, options.rounds
        self.daemon_program = self.release / "passcoded"
        cpus = sorted(os.sched_getaffinity(0))
        self.client_cpu, self.other_cpu = cpus[0], cpus[1] if len(cpus) > 1 else None

    def placements(self):
        """(id, words, the server's CPU): client and server on one CPU, and on two where there are two."""
        yield "same", "client and daemon on one CPU", self.client_cpu
        if self.other_cpu is not None:
            yield "apart", "client and daemon on two CPUs", self.other_cpu

    def store(self, size, name="store"):
        """A fresh copy of a store of that size, always at the same path for the same name."""
        filled = self._filled(size)
        copy = self.home.data / "data" / f"{name}.db"
        for old in copy.parent.glob(copy.name + "*"):
            old.unlink()
        shutil.copyfile(filled, copy)
        copy.chmod(0o600)
        os.sync()
        return copy

    def _filled(self, size):
        """Filling takes a while: a store is kept for the next run, as long as the program that fills it is the same."""
        program = self.swift_programs / "fill-store"
        kept = self.stores / hashlib.sha256(program.read_bytes()).hexdigest()[:16]
        if not kept.exists():
            shutil.rmtree(self.stores, ignore_errors=True)
            kept.mkdir(parents=True, mode=0o700)
        store = kept / f"{size}.db"
        if not store.exists():
            print(f"Filling a store with {size:,} credentials", file=sys.stderr)
            with tempfile.TemporaryDirectory(dir=kept) as draft:
                made = pathlib.Path(draft, "store.db")
                run(program, made, size, SECRET_BYTES, DERIVATION_MIB, PASSCODE)
                made.rename(store)
        return store


def parse():
    parser = argparse.ArgumentParser()
    for name in ("release", "programs", "swift-programs", "stores", "work", "run"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("measures", nargs="*", choices=[*ALL, []])
    return parser.parse_args()


def main():
    options = parse()
    about = machine.describe(options.work)
    bench = Bench(options, Home(options.work, options.run))
    rows = []
    try:
        for name in options.measures or ALL:
            print(f"Measuring: {name}", file=sys.stderr)
            rows += ALL[name](bench)
    finally:
        # What a failing measure would otherwise take along.
        print(machine.sentence(about), table(rows), sep="\n\n")
    if options.json:
        options.json.write_text(document(about, rows))
    missed = [row.id for row in rows if row.misses(TOLERANCE)]
    if options.check and missed:
        raise SystemExit(f"bench: missed by more than {TOLERANCE - 1:.0%}: {', '.join(missed)}")


main()
