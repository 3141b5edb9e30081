"""The measures: each a function from the bench to its rows. A new one is a function here and a line in ALL.

Every reference is taken in the same run and takes turns with what it is compared to; a ratio is the median of the rounds' ratios.
"""
import json
import subprocess
import sys
import time

from daemon import DERIVATION_MIB, OTHER_PASSCODE, PASSCODE, Daemon, move
from keyring import keyring
from report import Row
from tools import Rounds, RawPut, echo, load, median, p99, peak, spawn

NAME = "work/#####/##"
STATUS = '{"method":"org.passcoded.Passcode.Status"}'
GET = f'{{"method":"org.passcoded.Credentials.Get","parameters":{{"name":"{NAME}"}}}}'
SECRET_BYTES = 100
PUT = (
    '{"method":"org.passcoded.Credentials.Put","parameters":{"name":"new/#####/##","secret":"' + "c3Nz" * 33 + 'cw=="}}'
)
FEW, SOME, MANY = 10, 1000, 100_000


def start(bench):
    """From the start of the daemon to its first answer, against the start and end of a Swift program that does nothing."""
    store = bench.store(SOME)
    arguments = [bench.daemon_program, "--store", store, "--socket", bench.home.socket]
    trivial, daemon = spawn(
        bench.programs, bench.rounds * 6, ["exit", bench.swift_programs / "trivial-swift"],
        ["answer", bench.home.socket, *arguments])
    ratio = median([mine / other for mine, other in zip(daemon, trivial)])
    return [
        Row("start", "daemon: start to first answer", "ns", median(daemon), "a trivial Swift program", median(trivial), ratio, 3,
            detail={"p99": p99(daemon), "records": SOME}),
    ]


def memory(bench):
    """The daemon at rest: as started, and unlocked after it has served."""
    with Daemon(bench.daemon_program, bench.home, bench.store(SOME)) as daemon:
        locked = daemon.memory("VmRSS")
        daemon.unlock()
        load(bench.programs, (bench.home.socket, GET), rounds=1, calls=5000, space=SOME)
        unlocked = daemon.memory("VmRSS")
    limit = 15_000_000
    return [
        Row("rss-locked", "daemon: memory, just started", "B", locked, limit=limit),
        Row("rss-idle", f"daemon: memory, idle after unlock and 5,000 gets of {SOME:,} records", "B", unlocked, limit=limit),
    ]


def get(bench):
    """One get after the other over one connection, against a C echo of the same sizes, in both placements."""
    rows = []
    with Daemon(bench.daemon_program, bench.home, bench.store(SOME)) as daemon:
        daemon.unlock()
        size = int(load(bench.programs, (bench.home.socket, GET), rounds=1, calls=100, space=SOME).median(0, "replyBytes"))
        with echo(bench.programs, bench.home.echo_socket, size) as reference:
            for id, placement, cpu in bench.placements():
                daemon.run_on({cpu})
                move(reference, {cpu})
                # Threads inherit where the one that accepts runs: connections opened from here on are placed, too.
                rounds = load(
                    bench.programs, (bench.home.socket, GET), (bench.home.echo_socket, GET), rounds=bench.rounds, calls=5000,
                    space=SOME, cpu=bench.client_cpu)
                rows += [
                    Row(f"get-{id}", f"get {SECRET_BYTES} B, {SOME:,} records, {placement}, p50", "ns", rounds.median(0, "p50"),
                        "C echo", rounds.median(1, "p50"), rounds.paired("p50"), 3),
                    Row(f"get-{id}-p99", f"get {SECRET_BYTES} B, {SOME:,} records, {placement}, p99", "ns",
                        rounds.median(0, "p99"), "C echo", rounds.median(1, "p99"), rounds.paired("p99")),
                ]
    return rows


def get_together(bench):
    """Gets from 64 connections at once."""
    with Daemon(bench.daemon_program, bench.home, bench.store(SOME)) as daemon:
        daemon.unlock()
        size = int(load(bench.programs, (bench.home.socket, GET), rounds=1, calls=100, space=SOME).median(0, "replyBytes"))
        with echo(bench.programs, bench.home.echo_socket, size):
            rounds = load(
                bench.programs, (bench.home.socket, GET), (bench.home.echo_socket, GET), rounds=bench.rounds, calls=20_000,
                space=SOME, connections=64)
    return [
        Row("get-64", f"get {SECRET_BYTES} B, {SOME:,} records, 64 connections", "/s", rounds.rate(0), "C echo", rounds.rate(1),
            rounds.paired_rate(), at_least=True, detail={"p99": rounds.median(0, "p99"), "echoP99": rounds.median(1, "p99")}),
    ]


def change(bench):
    """What changing the passcode writes must not depend on how much there is."""
    written = [written_by_change(bench, size) for size in (FEW, MANY)]
    what = f"change: bytes written at {MANY:,} records"
    if None in written:
        return [Row("change", what, "B", 0, "not measured: only root may read what the daemon wrote")]
    few, many = written
    return [Row("change", what, "B", many, f"at {FEW} records", few, limit=1)]


def written_by_change(bench, size):
    with Daemon(bench.daemon_program, bench.home, bench.store(size), bench.home.policy) as daemon:
        daemon.unlock()
        client = daemon.client()
        before = daemon.bytes_written()
        step = client.call("Passcode.StartFlow", flow="change")["step"]["step"]
        given = {"current": PASSCODE, "enter": OTHER_PASSCODE, "confirm": OTHER_PASSCODE}
        while step != "finished":
            if step == "quickUnlock":
                reply = client.call("Passcode.AnswerQuickUnlock", enable=False)
            else:
                reply = client.call("Passcode.EnterPasscode", passcode=given[step])
            step = reply["step"]["step"]
        after = daemon.bytes_written()
    return None if before is None else after - before


def command(bench):
    """`passcode get` as a process."""
    with Daemon(bench.daemon_program, bench.home, bench.store(SOME)) as daemon:
        daemon.unlock()
        client = [bench.release / "passcode", "--socket", bench.home.socket, "--no-autostart", "get", "work/00001/23"]
        trivial, swift, mine = spawn(
            bench.programs, bench.rounds * 20, ["exit", bench.programs / "trivial"],
            ["exit", bench.swift_programs / "trivial-swift"], ["exit", *client])
    ratio = median([one / other for one, other in zip(mine, trivial)])
    return [
        Row("cli-get", "passcode get, as a process", "ns", median(mine), "a trivial C process", median(trivial), ratio,
            detail={"p99": p99(mine), "trivialSwift": median(swift)}),
    ]


def quick(bench):
    """Quick unlock over the wire, the helper's process and the keyring included, against reading one item with secret-tool."""
    attributes = ["bench", "one"]
    with keyring(bench.home.run) as is_there:
        if not is_there:
            print("no gnome-keyring, dbus-run-session or secret-tool: left out", file=sys.stderr)
            return []
        subprocess.run(["secret-tool", "store", "--label", "bench", *attributes], input=b"x" * 32, check=True)
        mine, reference = [], []
        with Daemon(bench.daemon_program, bench.home, bench.store(SOME)) as daemon:
            client = daemon.client()
            client.call("Passcode.EnableQuickUnlock", passcode=PASSCODE)
            for _ in range(bench.rounds * 5):
                client.call("Passcode.Lock")
                mine.append(timed(lambda: client.call("Passcode.Unlock", quickUnlock=True)))
                reference.append(timed(lambda: subprocess.run(["secret-tool", "lookup", *attributes], capture_output=True, check=True)))
            client.call("Passcode.DisableQuickUnlock")
    detail = {"p99": p99(mine), "secretTool": median(reference)}
    return [Row("quick", "quick unlock, keyring and helper included", "ns", median(mine), limit=60e6, detail=detail)]


def timed(body):
    """Nanoseconds."""
    before = time.monotonic_ns()
    body()
    return time.monotonic_ns() - before


def guesses(bench):
    """Wrong passcodes from 20 clients at once: never more memory than one derivation takes."""
    call = '{"method":"org.passcoded.Passcode.Verify","parameters":{"passcode":"wrong-guess-##"}}'
    with Daemon(bench.daemon_program, bench.home, bench.store(SOME), bench.home.policy) as daemon:
        before = daemon.memory("VmHWM")
        load(
            bench.programs, (bench.home.socket, call), connections=20, calls=20, rounds=1, start=10, expect="WrongPasscode")
        grown = daemon.memory("VmHWM") - before
    return [
        Row("guesses", "memory that 20 wrong passcodes at once take", "B", grown, "one derivation", DERIVATION_MIB * 1024 * 1024,
            limit=1.15),
    ]


def put(bench):
    """Durable puts: one client against a C program that writes the same rows; 64 clients against one."""
    calls = 300
    store, copy = bench.store(SOME), bench.store(SOME, "raw")
    lines, rates, number = "", [], 0
    with Daemon(bench.daemon_program, bench.home, store) as daemon, RawPut(bench.programs, copy, calls) as raw:
        daemon.unlock()
        for _ in range(bench.rounds):
            alone = load(bench.programs, (bench.home.socket, PUT), rounds=1, calls=calls, start=number)
            number += calls
            lines += alone.text + raw.round()
            together = load(bench.programs, (bench.home.socket, PUT), rounds=1, calls=calls * 10, start=number, connections=64)
            number += calls * 10
            rates.append((together.rate(0), alone.rate(0)))
    rounds = Rounds(lines)
    return [
        Row("put", f"durable put {SECRET_BYTES} B, one client, {SOME:,} records, p50", "ns", rounds.median(0, "p50"),
            "the same rows from C", rounds.median(1, "p50"), rounds.paired("p50"), detail={"p99": rounds.median(0, "p99")}),
        Row("put-64", f"durable put {SECRET_BYTES} B, 64 clients, {SOME:,} records", "/s", median([many for many, _ in rates]),
            "one client", median([one for _, one in rates]), median([many / one for many, one in rates]), at_least=True),
    ]


def paper(bench):
    """A document of 200 sections, in Latin letters, as a PDF: each round a process of its own."""
    text = "What is done with the data that you give us, who sees it, and for how long it is kept, is told in this section. " * 4
    blocks = [{"type": "heading", "level": 3, "spans": [{"text": "Consent to take part"}]}]
    for number in range(1, 201):
        blocks.append({"type": "heading", "level": 4, "spans": [{"text": f"Section {number}"}]})
        blocks += [{"type": "paragraph", "spans": [{"text": text}]}] * 3
    source = bench.home.data / "paper.json"
    source.write_text(json.dumps({
        "title": "Consent to take part", "language": "en", "direction": "ltr", "pageNumber": "Page {page} of {pages}",
        "blocks": blocks}))
    runs = [peak(source, bench.release / "passcode-consent-pdf") for _ in range(bench.rounds)]
    return [
        Row("paper", "a document of 200 sections as a PDF", "ns", median([time for time, _ in runs]), limit=2e9),
        Row("paper-memory", "memory that it takes, at its peak", "B", median([memory for _, memory in runs]), limit=150_000_000),
    ]


ALL = {
    "start": start, "memory": memory, "get": get, "get-64": get_together, "put": put, "change": change, "cli": command,
    "quick": quick, "guesses": guesses, "paper": paper,
}
