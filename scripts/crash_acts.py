"""What clients do while the daemon may be killed at any moment, and what has to hold of it afterwards."""
import collections
import hashlib
import threading

from testbed import Closed, Refused, base64_of, word

FORM = {
    "id": "terms", "version": "1.0", "kind": "terms", "required": False, "defaultLocale": "en",
    "locales": {"en": {"title": "Terms", "pages": [{"title": "One", "body": "Be good."}]}},
}


class Counts:
    """By kind of act: acknowledged, cut off, lost, wrong."""

    def __init__(self):
        self.lock = threading.Lock()
        self.table = collections.defaultdict(lambda: [0, 0, 0, 0])
        self.findings = []
        # How often quick unlock was off after a change that was cut off.
        self.dropped = 0

    def add(self, kind, column, finding=None):
        with self.lock:
            self.table[kind][column] += 1
            if finding:
                self.findings.append(f"{kind}: {finding}")


ACKNOWLEDGED, CUT_OFF, LOST, WRONG = range(4)


class Worker:
    """Acts one after the other on one connection, until that breaks."""

    def __init__(self, home, counts, random):
        self.home, self.counts, self.random = home, counts, random
        # The act that was under way when the daemon was killed.
        self.pending = None

    def run(self):
        try:
            client = self.home.client()
            while True:
                self.act(client)
        except (Closed, OSError):
            return

    def attempt(self, kind, pending, body):
        """Runs an act; where the connection breaks in the middle of it, both outcomes are right."""
        self.pending = (kind, pending)
        try:
            result = body()
        except (Closed, OSError):
            self.counts.add(kind, CUT_OFF)
            raise
        except Refused as refusal:
            self.counts.add(kind, WRONG, str(refusal))
            self.pending = None
            return None
        self.counts.add(kind, ACKNOWLEDGED)
        self.pending = None
        return result

    def judge(self, kind, is_right, is_lost, finding):
        if not is_right:
            self.counts.add(kind, LOST if is_lost else WRONG, finding)


class Values(Worker):
    """Stores, overwrites, deletes and renames under names that are its own."""

    def __init__(self, home, counts, random, prefix):
        super().__init__(home, counts, random)
        self.names = [f"{prefix}/{index}" for index in range(4)]
        self.known = {}

    def value(self):
        size = self.random.choice([20, 200, 3000, 3000, 60_000])
        return (word(20, self.random) * (size // 20)).encode()

    def act(self, client):
        name = self.random.choice(self.names)
        old = self.known.get(name)
        free = [each for each in self.names if each not in self.known]
        choice = self.random.random()
        if old is None or choice < 0.5:
            new = self.value()
            kind = "put" if old is None else "overwrite"
            after = self.known | {name: new}
            self.step(kind, after, lambda: client.call("Credentials.Put", name=name, secret=base64_of(new)))
        elif choice < 0.75 and free:
            target = self.random.choice(free)
            after = {each: value for each, value in self.known.items() if each != name} | {target: old}
            self.step("rename", after, lambda: client.call("Credentials.Rename", name=name, newName=target))
        else:
            after = {each: value for each, value in self.known.items() if each != name}
            purge = self.random.random() < 0.5
            self.step("delete", after, lambda: client.call("Credentials.Delete", name=name, purge=purge))

    def step(self, kind, after, call):
        if self.attempt(kind, after, call) is not None:
            self.known = after

    def check(self, client):
        found = {}
        for name in self.names:
            reply = client.reply("Credentials.Get", name=name)
            if "error" not in reply:
                found[name] = reply["parameters"]["secret"]
            elif not reply["error"].endswith(".NotFound"):
                self.counts.add("read", WRONG, f"{name}: {reply}")
        kind, after = self.pending or ("put", self.known)
        self.pending = None
        wanted = [{name: base64_of(value) for name, value in state.items()} for state in (self.known, after)]
        if found in wanted:
            self.known = after if found == wanted[1] else self.known
            return
        lost = any(name not in found for name in self.known if name in after)
        digests = {name: hashlib.sha256(value.encode()).hexdigest()[:8] for name, value in found.items()}
        self.judge(kind, False, lost, f"found {digests}, neither {sorted(self.known)} nor {sorted(after)} as they were")
        self.known = {}


class Passcodes(Worker):
    """Tries, changes the passcode, turns quick unlock on and off: all that counts or resets tries, one after the other."""

    LIMIT = 1000

    def __init__(self, home, counts, random, passcode):
        super().__init__(home, counts, random)
        self.passcode = passcode
        self.is_quick = False
        # How many wrong tries may be counted now.
        self.failures = {0}

    def act(self, client):
        choice = self.random.random()
        if choice < 0.4:
            self.wrong(client)
        elif choice < 0.5:
            self.right("verify", self.is_quick, client, "Passcode.Verify")
        elif choice < 0.7:
            self.change(client)
        elif choice < 0.9:
            self.right("enable quick unlock", True, client, "Passcode.EnableQuickUnlock")
        else:
            pending = (self.passcode, False, self.failures)
            if self.attempt("disable quick unlock", pending, lambda: client.call("Passcode.DisableQuickUnlock")) is not None:
                self.is_quick = False

    def wrong(self, client):
        counted = {count + 1 for count in self.failures}

        def body():
            reply = client.reply("Passcode.Verify", passcode=word(20, self.random))
            if not reply.get("error", "").endswith(".WrongPasscode"):
                raise Refused("Passcode.Verify", {"error": str(reply)})
            return reply

        if self.attempt("wrong try", (self.passcode, self.is_quick, self.failures | counted), body) is not None:
            self.failures = counted

    def right(self, kind, is_quick, client, method):
        pending = (self.passcode, is_quick, self.cut_off())
        if self.attempt(kind, pending, lambda: client.call(method, passcode=self.passcode)) is not None:
            self.is_quick, self.failures = is_quick, {0}

    def cut_off(self):
        """What may be counted after a right try that was cut off: none of it, or it as a wrong one."""
        return {0} | self.failures | {count + 1 for count in self.failures}

    def change(self, client):
        new = word(24, self.random)

        def body():
            client.call("Passcode.StartFlow", flow="change")
            client.call("Passcode.EnterPasscode", passcode=self.passcode)
            client.call("Passcode.EnterPasscode", passcode=new)
            step = client.call("Passcode.EnterPasscode", passcode=new)["step"]
            if step["step"] != "finished":
                raise Refused("change", {"error": str(step)})
            return step

        step = self.attempt("change", (new, self.is_quick, self.cut_off()), body)
        if step is not None:
            self.passcode, self.failures = new, {0}
            if self.is_quick and "quickUnlockReason" in step:
                self.counts.add("change", WRONG, str(step))

    def check(self, client):
        """Opens the store, whichever way has to open it."""
        status = client.call("Passcode.Status")
        kind, (passcode, is_quick, failures) = self.pending or ("wrong try", (self.passcode, self.is_quick, self.failures))
        was_cut_off, self.pending = self.pending is not None, None
        failed = self.LIMIT - status["triesRemaining"]
        self.judge("wrong try", failed in self.failures | failures, False, f"{failed} counted, {self.failures | failures} expected")
        quick = status["quickUnlock"]
        # A change takes the way in of the old passcode away with it, and puts a new one back behind it: cut off between, it is off.
        is_right = quick in (self.is_quick, is_quick) or (was_cut_off and kind == "change" and passcode != self.passcode)
        if is_right and quick not in (self.is_quick, is_quick):
            self.counts.dropped += 1
        self.judge("enable quick unlock", is_right, True, f"{kind}: it is {quick}, {self.is_quick} expected")
        if quick and not was_cut_off:
            reply = client.reply("Passcode.Unlock", quickUnlock=True)
            self.judge("enable quick unlock", "error" not in reply, True, str(reply))
            client.call("Passcode.Lock")
        candidates = dict.fromkeys([passcode, self.passcode])
        opened = next((each for each in candidates if "error" not in client.reply("Passcode.Unlock", passcode=each)), None)
        self.judge("change", opened is not None, True, f"{kind}: neither passcode opens it")
        if opened is None:
            raise SystemExit("\n".join(self.counts.findings))
        self.passcode, self.failures = opened, {0}
        self.is_quick = client.call("Passcode.Status")["quickUnlock"]


class Consents(Worker):
    """Agrees to a form and takes it back."""

    def __init__(self, home, counts, random):
        super().__init__(home, counts, random)
        self.records = []

    def act(self, client):
        form = client.call("Consent.ListForms")["forms"][0]
        if form["state"] in ("given", "renewed"):
            record = self.attempt("withdraw", "withdrawn", lambda: client.call("Consent.Withdraw", form="terms")["record"])
        else:
            answer = {"form": "terms", "version": "1.0", "sha256": form["sha256"], "choice": "agreed"}
            record = self.attempt("consent", "given", lambda: client.call("Consent.Answer", answers=[answer])["records"][0])
        if record is not None:
            self.records.append((record["id"], record["event"]))

    def check(self, client):
        fault = client.call("Consent.VerifyRecord").get("recordFault")
        self.judge("consent", fault is None, False, str(fault))
        kept = self.records_of(client)
        pending, self.pending = self.pending, None
        surplus = kept[len(self.records) :]
        is_right = kept[: len(self.records)] == self.records and len(surplus) <= (1 if pending else 0)
        lost = not set(self.records) <= set(kept)
        self.judge("consent", is_right, lost, f"{len(kept)} entries, {len(self.records)} acknowledged, {pending} under way")
        state = client.call("Consent.ListForms")["forms"][0]["state"]
        last = kept[-1][1] if kept else "neverAsked"
        self.judge("consent", state == last, False, f"the form is {state}, the last entry {last}")
        self.records = kept

    @staticmethod
    def records_of(client):
        client.send("Consent.Records", {}, more=True)
        records = []
        while True:
            message = client.receive()
            records += message["parameters"]["records"]
            if not message.get("continues"):
                return [(record["id"], record["event"]) for record in records]
