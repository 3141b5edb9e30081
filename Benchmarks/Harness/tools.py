"""Runs the programs that do the measuring, and what is computed from their figures."""
import contextlib
import json
import os
import signal
import statistics
import subprocess
import time

median = statistics.median


def run(*arguments, **options):
    """Its output. A failure ends the run: a figure that is not there must not look like one."""
    arguments = [str(argument) for argument in arguments]
    result = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=False, **options)
    if result.returncode != 0:
        raise SystemExit(f"bench: exit {result.returncode}: {' '.join(arguments)}")
    return result.stdout


def peak(source, *command):
    """(nanoseconds, the most bytes of memory) that a program takes which reads a file from its standard input."""
    started = time.monotonic_ns()
    with source.open("rb") as text, subprocess.Popen(list(map(str, command)), stdin=text, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    taken = time.monotonic_ns() - started
    if process.returncode != 0:
        raise SystemExit(f"bench: exit {process.returncode}: {command[0]}")
    return taken, usage.ru_maxrss * 1024


class Rounds:
    """What `load` printed, by server and round."""

    def __init__(self, output):
        self.text = output
        self.lines = [json.loads(line) for line in output.splitlines()]

    def of(self, target, field):
        return [line[field] for line in self.lines if line["target"] == target]

    def median(self, target, field):
        return median(self.of(target, field))

    def rate(self, target):
        """Calls a second."""
        return median([line["calls"] / line["seconds"] for line in self.lines if line["target"] == target])

    def paired(self, field):
        """The median of server 0's figure over server 1's of the same round: what both suffer cancels out."""
        return median([mine / other for mine, other in zip(self.of(0, field), self.of(1, field))])

    def paired_rate(self):
        return median([slow / fast for fast, slow in zip(self.of(0, "seconds"), self.of(1, "seconds"))])


def load(programs, *targets, **options):
    """One run of `load`; each target is (socket, template). Options by the names below."""
    flags = {"connections": "-k", "rounds": "-r", "calls": "-n", "cpu": "-c", "space": "-s", "start": "-i", "expect": "-e"}
    arguments = [word for name, value in options.items() for word in (flags[name], value)]
    return Rounds(run(programs / "load", *arguments, *[word for target in targets for word in target]))


class RawPut:
    """`raw-put` on a copy of a store: one round of durable writes at each call."""

    def __init__(self, programs, store, calls):
        self.process = subprocess.Popen(
            [str(programs / "raw-put"), str(store), str(calls)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self):
        print(file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("bench: raw-put ended")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def spawn(programs, rounds, *commands):
    """Nanoseconds per round of each command; see spawn.c."""
    words = []
    for command in commands:
        words += (["--"] if words else []) + list(command)
    return json.loads(run(programs / "spawn", rounds, *words))


def p99(samples):
    return sorted(samples)[min(len(samples) - 1, int(len(samples) * 0.99))]


@contextlib.contextmanager
def echo(programs, socket, reply_bytes):
    """The reference server; gives its process id."""
    socket.unlink(missing_ok=True)
    process = subprocess.Popen([str(programs / "echo"), str(socket), str(reply_bytes)])
    try:
        deadline = time.monotonic() + 10
        while not socket.exists():
            if time.monotonic() > deadline:
                raise SystemExit("bench: the echo server did not start")
            time.sleep(0.002)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
