"""Kills the daemon at random moments and looks at what is left: run by scripts/crash.

usage: crash.py PROGRAM-FOLDER ROUNDS SEED
"""
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

import store_keys
from crash_acts import ACKNOWLEDGED, CUT_OFF, FORM, LOST, WRONG, Consents, Counts, Passcodes, Values
from testbed import UID, Closed, Home, Session, word

VECTORS = pathlib.Path(__file__).parent.parent / "Tests/Vectors/store-v1"
# A home's history is looked through after each kill: it is begun anew before that takes longer than the rounds.
ROUNDS_PER_HOME = 100
MIGRATIONS_PER_HOME = 10
POLICY = {"retryLimit": Passcodes.LIMIT, "lockOut": {"afterTries": Passcodes.LIMIT, "firstSeconds": 1}, "lockTimeoutSeconds": 0}


class Rounds:
    """Rounds of one home after the other."""

    def __init__(self, folder, programs, session, seed):
        self.folder, self.programs, self.session = folder, programs, session
        self.random = random.Random(seed)
        self.counts = Counts()
        self.kills = self.crashes = self.homes = 0

    def home(self, policy=POLICY):
        self.homes += 1
        return Home(self.folder / str(self.homes), self.programs, policy, self.session.variables)

    def kill(self, home):
        if home.daemon.poll() is not None:
            self.crashes += 1
            self.counts.findings.append(f"the daemon ended by itself: {home.daemon.returncode}")
            return
        home.kill()
        self.kills += 1

    def run_home(self, rounds):
        home = self.home()
        Home.directory(home.data / "config/passcoded/consent")
        home.write("config/passcoded/consent/terms.json", json.dumps(FORM).encode())
        workers = [Values(home, self.counts, random.Random(self.random.random()), prefix) for prefix in ("a", "b", "c")]
        passcodes = Passcodes(home, self.counts, random.Random(self.random.random()), word(24, self.random))
        workers += [passcodes, Consents(home, self.counts, random.Random(self.random.random()))]
        client = home.start_daemon()
        client.create(passcodes.passcode)
        try:
            for _ in range(rounds):
                self.round(home, workers)
            self.check(home.start_daemon(), workers)
            assert store_keys.rows(home.store, "PRAGMA integrity_check") == [("ok",)]
            self.tidy(home)
        finally:
            home.close()
            shutil.rmtree(home.folder)

    def round(self, home, workers):
        if home.daemon.poll() is not None:
            client = home.start_daemon()
            self.check(client, workers)
        threads = [threading.Thread(target=worker.run) for worker in workers]
        for thread in threads:
            thread.start()
        time.sleep(self.random.choice([0.02, 0.15, 0.5, 1.2]) * self.random.random())
        self.kill(home)
        for thread in threads:
            thread.join()

    @staticmethod
    def check(client, workers):
        # Whoever opens the store comes first.
        for worker in sorted(workers, key=lambda each: not isinstance(each, Passcodes)):
            worker.check(client)

    @staticmethod
    def tidy(home):
        """Nothing of it stays in the kernel's keyring."""
        home.client().reply("Passcode.DisableQuickUnlock")

    def run_migration(self):
        """A store of format 1, with five wrong tries in its ledger, is killed while it is opened and migrated."""
        home = self.home({})
        for folder in ("data/passcoded", "state/passcoded"):
            Home.directory(home.data / folder)
        home.write("data/passcoded/store.db", (VECTORS / "store.db").read_bytes())
        home.write("state/passcoded/device-key", (VECTORS / "device.key").read_bytes())
        before = self.content(home)
        try:
            home.start_daemon().send("Passcode.Status", {})
            time.sleep(0.02 * self.random.random())
            self.kill(home)
            (version,) = store_keys.rows(home.store, "PRAGMA user_version")[0]
            tables = store_keys.rows(home.store, "SELECT count(*) FROM sqlite_schema WHERE name GLOB 'consent_*'")[0][0]
            whole = (version, tables) in ((1, 0), (2, 3)) and self.content(home) == before
            status = home.start_daemon().call("Passcode.Status")
            (now,) = store_keys.rows(home.store, "PRAGMA user_version")[0]
            fault = f"{version}, {tables} tables, then {now}, {status}"
            right = whole and now == 2 and status["triesRemaining"] == 5 and "storeFault" not in status
            self.counts.add("migration", ACKNOWLEDGED if version == 2 else CUT_OFF)
            if not right:
                self.counts.add("migration", WRONG, fault)
            self.kill(home)
        finally:
            home.close()
            shutil.rmtree(home.folder)

    @staticmethod
    def content(home):
        tables = ("record", "version", "slot", "state", "passcode_history", "folder", "attribute")
        return [store_keys.rows(home.store, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]

    def show(self, seconds):
        print(f"{'act':22}{'acknowledged':>14}{'cut off':>10}{'lost':>7}{'wrong':>7}")
        for kind, columns in sorted(self.counts.table.items()):
            print(f"{kind:22}{columns[0]:>14}{columns[1]:>10}{columns[2]:>7}{columns[3]:>7}")
        totals = [sum(columns[index] for columns in self.counts.table.values()) for index in range(4)]
        print(f"{'all':22}{totals[0]:>14}{totals[1]:>10}{totals[2]:>7}{totals[3]:>7}")
        print(f"{self.kills} kills, {self.homes} homes, {self.crashes} crashes, {seconds:.0f} s")
        print(f"quick unlock was off after a change that was cut off: {self.counts.dropped} times")
        for finding in self.counts.findings[:40]:
            print(finding)
        return totals[LOST] + totals[WRONG] + self.crashes + len(self.counts.findings)


def main():
    programs, wanted, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(f"seed {seed}, {wanted} rounds", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="passcode-crash.") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        session = Session(folder / "session")
        rounds = Rounds(folder, programs, session, seed)
        done = 0
        try:
            while done < wanted:
                count = min(ROUNDS_PER_HOME, wanted - done)
                migrations = max(1, count * MIGRATIONS_PER_HOME // ROUNDS_PER_HOME)
                rounds.run_home(count)
                for _ in range(migrations):
                    rounds.run_migration()
                done += count
                print(f"{done} rounds, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        finally:
            session.close()
            faults = rounds.show(time.monotonic() - started)
    sys.exit(1 if faults else 0)


main()
