"""A daemon of our own: started in a throw-away home, spoken to over its socket, ended by its process id."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

PASSCODE = "amber-lantern-49-orbit-mule"
OTHER_PASSCODE = "five-copper-kites-drift-17"
# What one derivation takes, in the stores that fill-store makes and in a changed passcode.
DERIVATION_MIB = 64
# For guesses, which must not be locked out, and for changes, whose cost is then known. All else runs with the defaults.
POLICY = {
    "retryLimit": 0,
    "lockOut": {"afterTries": 1000, "firstSeconds": 1, "factor": 1, "maxSeconds": 1},
    "keyDerivation": {"targetMilliseconds": 100, "minMemoryMiB": DERIVATION_MIB, "maxMemoryMiB": DERIVATION_MIB},
}


class Refused(Exception):
    """The daemon answered with an error."""


class Client:
    """One connection, one call at a time."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(str(path))

    def call(self, method, **parameters):
        """The parameters of the reply; raises Refused with the error's name."""
        message = {"method": f"org.passcoded.{method}", "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        reply = b""
        while not reply.endswith(b"\0"):
            part = self.socket.recv(1 << 16)
            if not part:
                raise Refused("the daemon closed the connection")
            reply += part
        document = json.loads(reply[:-1])
        if "error" in document:
            raise Refused(document["error"])
        return document.get("parameters", {})


class Daemon:
    """`passcoded` on one store. Use it in a with statement: it is ended on every way out."""

    def __init__(self, program, home, store, policy=None):
        self.arguments = [str(program), "--store", str(store), "--socket", str(home.socket)]
        if policy:
            self.arguments += ["--policy", str(policy)]
        self.home = home

    def __enter__(self):
        self.home.socket.unlink(missing_ok=True)
        with open(self.home.log, "ab") as log:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._await_socket()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _await_socket(self):
        deadline = time.monotonic() + 30
        while True:
            try:
                Client(self.home.socket).call("Passcode.Status")
                return
            except (FileNotFoundError, ConnectionRefusedError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"bench: the daemon does not answer:\n{self.home.log.read_text()}") from None
                time.sleep(0.002)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    @property
    def pid(self):
        return self.process.pid

    def client(self):
        return Client(self.home.socket)

    def unlock(self):
        self.client().call("Passcode.Unlock", passcode=PASSCODE)

    def memory(self, field):
        """A line of /proc/PID/status in bytes: VmRSS, VmHWM."""
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name == field:
                return int(rest.split()[0]) * 1024
        raise KeyError(field)

    def bytes_written(self):
        """What it has given to write(2) and its kin; None where only root may read that of a process that hides its memory."""
        try:
            text = pathlib.Path(f"/proc/{self.pid}/io").read_text()
        except PermissionError:
            return None
        return int(dict(line.split(": ") for line in text.splitlines())["wchar"])

    def run_on(self, cpus):
        """Moves every thread; those to come inherit it."""
        move(self.pid, cpus)


def move(pid, cpus):
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), cpus)


class Home:
    """Folders of our own, and an environment that points there only. Data on the disk that is measured, sockets where their path
    is short."""

    def __init__(self, data, run):
        self.data, self.run = pathlib.Path(data), pathlib.Path(run)
        self.socket, self.echo_socket = self.run / "socket", self.run / "echo"
        self.log = self.run / "daemon.log"
        for name in ("data", "config", "state"):
            folder = self.data / name
            folder.mkdir(mode=0o700)
            os.environ[f"XDG_{name.upper()}_HOME"] = str(folder)
        os.environ["XDG_RUNTIME_DIR"] = str(self.run)
        for name in ("PASSCODED_STORE", "PASSCODED_SOCKET"):
            os.environ.pop(name, None)
        self.policy = self.data / "policy.json"
        self.policy.write_text(json.dumps(POLICY))
