"""Looks for canaries in memory and on disk: run by scripts/memory-scan, as root.

usage: memory_scan.py PROGRAM-FOLDER
"""
import os
import pathlib
import resource
import signal
import sys
import tempfile
import time

import memory_clients
import memory_probe
import process_memory
import store_keys
from testbed import Home, Session, base64_of, word

# What each canary is, and so when it may be in memory; on disk it never may.
PASSCODES = ("passcode", "new passcode", "recovered passcode", "last passcode", "wrong passcode", "candidate")
SECRETS = ("secret", "large secret", "half a secret")
KEYS = (
    "stretched passcode", "slot key", "store key", "device key", "keyring key", "recovery key", "recovery key as printed",
    "recovery secret")
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
PINENTRY = """#!/bin/sh
echo OK
while read -r line; do
  case $line in
  GETPIN*) echo 'D {0}'; echo OK ;;
  BYE*) echo OK; exit 0 ;;
  *) echo OK ;;
  esac
done
"""
OPEN_KEYS = tuple(f"{label} key" for label in store_keys.LABELS)
NAMES = ("name", "attribute")


class Table:
    """What was looked for, where and when, and what came of it."""

    GROUPS = {"passcodes": PASSCODES, "secrets": SECRETS, "ways in": KEYS, "open keys": OPEN_KEYS, "names": NAMES}

    def __init__(self):
        self.rows, self.facts, self.faults = [("place", "moment", *self.GROUPS)], [], []

    def add(self, place, moment, found, must=(), may=NAMES):
        """must: what has to be found, else the scan is blind; may: what is not promised to be gone."""
        cells = []
        for group in self.GROUPS.values():
            hits = {name: found[name] for name in group if name in found}
            wanted = [name for name in hits if name in must and not hits[name]]
            surplus = [name for name in hits if hits[name] and name not in must and name not in may]
            cells.append(str(sum(hits.values())) + ("!" if wanted or surplus else ""))
            self.faults += [f"{place}, {moment}: {name} was to be seen" for name in wanted]
            self.faults += [f"{place}, {moment}: {name} is there, {hits[name]} times" for name in surplus]
        self.rows.append((place, moment, *cells))

    def add_fact(self, place, fact, is_right):
        self.facts.append(f"{place}: {fact}")
        if not is_right:
            self.faults.append(self.facts[-1])

    def show(self):
        widths = [max(len(row[column]) for row in self.rows) for column in range(len(self.rows[0]))]
        for row in self.rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        print("\n".join(self.facts))


class Scan:
    open_keys = OPEN_KEYS

    def __init__(self, folder, programs):
        self.table = Table()
        self.canaries = {name: word().encode() for name in PASSCODES + SECRETS + NAMES}
        self.folder = folder
        self.session = Session(folder / "session")
        pinentry = folder / "pinentry"
        pinentry.write_text(PINENTRY.format(self.text("new passcode")))
        pinentry.chmod(0o755)
        variables = {"PASSCODED_PINENTRY": str(pinentry)} | self.session.variables
        policy = {"deviceKey": True, "historyDepth": 3, "lockOut": {"afterTries": 1000, "firstSeconds": 1}}
        self.home = Home(folder / "a", programs, policy | {"retryLimit": 1000}, variables)

    def text(self, name):
        return self.canaries[name].decode()

    def needles(self):
        return process_memory.Needles(self.canaries)

    def learn_keys(self, passcode):
        self.canaries["device key"] = (self.home.data / "state/passcoded/device-key").read_bytes()
        self.canaries |= store_keys.keys(self.home.store, self.canaries[passcode], self.canaries["device key"])

    def learn_recovery_key(self, printed):
        bare = "".join(each for each in printed if each in CROCKFORD)
        bits = int("".join(f"{CROCKFORD.index(each):05b}" for each in bare[:32]), 2)
        self.canaries |= {"recovery key as printed": printed.encode(), "recovery key": bare.encode()}
        self.canaries["recovery secret"] = bits.to_bytes(20, "big")

    def look(self, moment, must=(), may=NAMES, is_dumped=False, settles=False):
        """settles: the reply itself held a secret; it is wiped when it has gone out, which its receiver may see earlier."""
        time.sleep(0.1 if settles else 0)
        with process_memory.stopped(self.home.daemon.pid):
            found = process_memory.scan(self.home.daemon.pid, self.needles(), is_dumped)
        self.table.add("daemon", moment, found, must, may)
        return found

    def look_on_disk(self, moment):
        # The device key's own file is where it has to be.
        kept = str(self.home.data / "state/passcoded/device-key")
        found, total = process_memory.scan_files(self.home.data, self.needles(), {kept})
        assert total > 50_000, total
        self.table.add("disk", f"{moment} ({total >> 10} KiB)", found, may=())

    # The daemon

    def create(self):
        client = self.home.start_daemon()
        client.call("Passcode.StartFlow", flow="create", quickUnlock=False)
        client.call("Passcode.EnterPasscode", passcode=self.text("passcode"))
        self.look("create: entered once", must=["passcode"])
        client.call("Passcode.EnterPasscode", passcode=self.text("passcode"))
        self.learn_keys("passcode")
        self.look("create: answered", must=OPEN_KEYS)
        return client

    def fill(self, client):
        name, attributes = self.text("name"), {"key": self.text("attribute")}
        client.call("Credentials.Put", name=f"work/{name}", secret=base64_of(self.canaries["secret"]), attributes=attributes)
        large = self.canaries["large secret"] * 8000
        client.call("Credentials.Put", name="large", secret=base64_of(large))
        for _ in range(3):
            assert client.call("Credentials.Get", name=f"work/{name}")["secret"] == base64_of(self.canaries["secret"])
            assert client.call("Credentials.Get", name="large")["secret"] == base64_of(large)
        client.call("Credentials.List")
        client.call("Credentials.Find", attributes=attributes)
        self.look("unlocked: stored and read", must=OPEN_KEYS, settles=True)
        self.look_on_disk("unlocked")

    def during_a_try(self, client):
        """Stops the daemon in the middle of a derivation."""
        for delay in range(1, 60):
            client.send("Passcode.Verify", {"passcode": self.text("passcode")})
            time.sleep(delay / 1000)
            with process_memory.stopped(self.home.daemon.pid):
                found = process_memory.scan(self.home.daemon.pid, self.needles())
                if found["passcode"]:
                    dumped = process_memory.scan(self.home.daemon.pid, self.needles(), is_dumped=True)
                    self.table.add("daemon", "during a try", found, ["passcode", *OPEN_KEYS], (*NAMES, *KEYS))
                    self.table.add("daemon", "what a core would hold then", dumped)
                    break
            client.receive()
        client.receive()

    def tries(self, client):
        self.during_a_try(client)
        client.reply("Passcode.Verify", passcode=self.text("wrong passcode"))
        client.call("Passcode.Verify", passcode=self.text("passcode"))
        client.call("Passcode.Check", passcode=self.text("candidate"))
        self.look("tries and a check: answered", must=OPEN_KEYS)
        key = client.call("Passcode.CreateRecoveryKey", passcode=self.text("passcode"))["key"]
        self.learn_recovery_key(key)
        self.look("recovery key: told", must=OPEN_KEYS, settles=True)
        client.call("Passcode.EnableQuickUnlock", passcode=self.text("passcode"))
        self.canaries["keyring key"] = self.session.item()
        self.look("quick unlock: on", must=OPEN_KEYS)

    def answers(self, client):
        """Looks as soon as an answer is there: what is wiped only behind it would be seen by one or the other look."""
        found = {}
        for _ in range(10):
            client.call("Passcode.Check", passcode=self.text("candidate"))
            with process_memory.stopped(self.home.daemon.pid):
                each = process_memory.scan(self.home.daemon.pid, self.needles())
            found = {name: found.get(name, 0) + count for name, count in each.items()}
        self.table.add("daemon", "10 answers, each looked at at once", found, OPEN_KEYS)

    def change(self, client):
        client.call("Passcode.StartFlow", flow="change")
        client.call("Passcode.EnterPasscode", passcode=self.text("passcode"))
        for _ in range(2):
            step = client.call("Passcode.EnterPasscode", passcode=self.text("new passcode"))["step"]["step"]
        assert step == "finished", step
        self.canaries["keyring key"] = self.session.item()
        self.learn_keys("new passcode")
        self.look("change: answered", must=OPEN_KEYS)

    def lock(self, client):
        half = self.home.client()
        secret = base64_of(self.canaries["half a secret"] * 100)
        half.socket.sendall(b'{"method":"org.passcoded.Credentials.Put","parameters":{"name":"half","secret":"' + secret.encode())
        time.sleep(0.2)
        self.look("half a message is there", must=["half a secret", *OPEN_KEYS], may=(*NAMES, "half a secret"))
        client.call("Passcode.Lock")
        self.look("locked")
        self.look_on_disk("locked")

    def other_ways_in(self, client):
        client.call("Passcode.Unlock", quickUnlock=True)
        self.look("unlocked by quick unlock", must=OPEN_KEYS)
        client.call("Passcode.Lock")
        self.look("locked again")
        client.call("Passcode.Unlock", quickUnlock=False, environment={"DISPLAY": ":0"})
        self.look("unlocked by a prompt", must=OPEN_KEYS)
        client.call("Passcode.Lock")
        self.look("locked once more")
        client.call("Passcode.StartFlow", flow="recover", recoveryKey=self.text("recovery key as printed"))
        for _ in range(2):
            client.call("Passcode.EnterPasscode", passcode=self.text("recovered passcode"))
        self.learn_keys("recovered passcode")
        self.look("recovered: answered", must=OPEN_KEYS)

    def remove(self, client):
        client.call("Credentials.Rename", name=f"work/{self.text('name')}", newName="other")
        client.call("Credentials.Delete", name="large", purge=True)
        self.look_on_disk("after rename and purge")
        client.call("Passcode.Lock")
        free = store_keys.rows(self.home.store, "PRAGMA freelist_count")[0][0]
        self.look_on_disk(f"{free} free pages")

    def crash(self, number):
        client = self.home.start_daemon()
        client.call("Passcode.Unlock", passcode=self.text("recovered passcode"))
        client.call("Credentials.Get", name="other")
        name = signal.Signals(number).name
        self.look(f"what a core would hold at {name}", is_dumped=True)
        # In the middle of a try, with the passcode in memory.
        client.send("Passcode.Verify", {"passcode": self.text("recovered passcode")})
        time.sleep(0.03)
        status = self.home.kill(number)
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, status
        cores = [path for path in self.home.data.rglob("*core*") if path.is_file()]
        self.table.add_fact(f"core file after {name}", f"{len(cores)} files", not os.WCOREDUMP(status) and not cores)
        self.look_on_disk(f"after {name}")

    def run(self):
        client = self.create()
        self.fill(client)
        self.tries(client)
        self.answers(client)
        self.change(client)
        self.lock(client)
        self.other_ways_in(client)
        self.remove(client)
        memory_probe.probe(self.home.daemon.pid, "daemon", self.table)
        self.home.kill(signal.SIGTERM)
        self.look_on_disk("after the end")
        for number in (signal.SIGABRT, signal.SIGSEGV):
            self.crash(number)
        memory_clients.run(self)


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with tempfile.TemporaryDirectory(prefix="passcode-memory.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        scan = Scan(folder, sys.argv[1])
        try:
            scan.run()
        finally:
            scan.home.close()
            scan.session.close()
            scan.table.show()
    if scan.table.faults:
        sys.exit("\n".join(["not as promised:", *scan.table.faults]))
    print("all as promised")


main()
