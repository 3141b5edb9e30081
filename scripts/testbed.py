"""What scripts/memory-scan and scripts/crash share: a daemon of its own home, clients, and a reader of store files.

Run as root, the programs run as an unprivileged user, so that root can look at them and others of that user can not.
"""
import base64
import contextlib
import json
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

# One that has no rights and an entry in the user database, which a session bus wants.
UID = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else os.geteuid()
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
PROGRAMS = ("passcode", "passcoded", "passcode-keyring", "passcode-logind", "passcode-consent", "passcode-consent-pdf")
# The cheapest derivation that a user's policy can ask for.
CHEAP = {"targetMilliseconds": 10, "minMemoryMiB": 64, "maxMemoryMiB": 64}


def word(count=32, source=random.SystemRandom()):
    """A text that stands nowhere by accident."""
    return "".join(source.choice(ALPHABET) for _ in range(count))


def base64_of(secret):
    return base64.b64encode(secret).decode()


@contextlib.contextmanager
def as_user():
    """What is opened and connected inside is the user's."""
    if os.geteuid() == UID:
        yield
        return
    os.seteuid(UID)
    try:
        yield
    finally:
        os.seteuid(0)


class Closed(Exception):
    """The daemon has closed the connection."""


class Refused(Exception):
    """A call was answered with an error."""

    def __init__(self, method, reply):
        super().__init__(f"{method}: {reply}")
        self.name = reply["error"].rsplit(".", 1)[-1]


class Client:
    """A connection that speaks the protocol's bytes."""

    def __init__(self, path, limit=60):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(limit)
        with as_user():
            self.socket.connect(path)
        self.received = b""

    def send(self, method, parameters, more=False):
        message = {"method": "org.passcoded." + method, "parameters": parameters} | ({"more": True} if more else {})
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.received:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise Closed
            self.received += piece
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def reply(self, method, **parameters):
        """The whole reply, an error too."""
        self.send(method, parameters)
        return self.receive()

    def call(self, method, **parameters):
        reply = self.reply(method, **parameters)
        if "error" in reply:
            raise Refused(method, reply)
        return reply.get("parameters", {})

    def create(self, passcode):
        self.call("Passcode.StartFlow", flow="create", quickUnlock=False)
        self.call("Passcode.EnterPasscode", passcode=passcode)
        step = self.call("Passcode.EnterPasscode", passcode=passcode)["step"]["step"]
        assert step == "finished", step


class Home:
    """A home of its own with the programs beside it, and the daemon that serves it."""

    def __init__(self, folder, programs, policy=None, variables=None):
        self.folder = pathlib.Path(folder)
        self.programs = self.folder / "bin"
        self.data = self.folder / "home"
        self.folder.mkdir(mode=0o755)
        self.programs.mkdir(mode=0o755)
        for program in PROGRAMS:
            shutil.copy2(pathlib.Path(programs) / program, self.programs)
        names = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
        self.variables = {"HOME": str(self.data), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        self.variables |= {variable: str(self.data / name) for variable, name in names.items()} | (variables or {})
        self.directory(self.data)
        for name in names.values():
            self.directory(self.data / name)
        self.directory(self.data / "config/passcoded")
        self.write("config/passcoded/policy.json", json.dumps({"keyDerivation": CHEAP} | (policy or {})).encode())
        self.store = self.data / "data/passcoded/store.db"
        self.socket = str(self.data / "run/passcoded/socket")
        self.daemon = None

    @staticmethod
    def directory(path):
        path.mkdir(mode=0o700, exist_ok=True)
        os.chown(path, UID, UID)

    def write(self, name, content, mode=0o600):
        path = self.data / name
        path.write_bytes(content)
        path.chmod(mode)
        os.chown(path, UID, UID)
        return str(path)

    def start(self, program, *arguments, **options):
        """A program of ours, as the user."""
        if os.geteuid() != UID:
            options |= {"user": UID, "group": UID, "extra_groups": []}
        return subprocess.Popen([self.programs / program, *arguments], env=self.variables, cwd=self.data, **options)

    def start_daemon(self, **options):
        silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        with open(self.data / "errors", "ab") as errors:
            self.daemon = self.start("passcoded", stderr=errors, **silent, **options)
        while True:
            try:
                return Client(self.socket)
            except OSError:
                if self.daemon.poll() is not None:
                    sys.exit(f"the daemon ended: {self.daemon.returncode}\n{(self.data / 'errors').read_text()}")
                time.sleep(0.002)

    def client(self):
        return Client(self.socket)

    def kill(self, number=signal.SIGKILL):
        """Ends the daemon. Returns how it ended, as waitpid(2) has it."""
        os.kill(self.daemon.pid, number)
        _, status = os.waitpid(self.daemon.pid, 0)
        self.daemon.returncode = os.waitstatus_to_exitcode(status)
        return status

    def close(self):
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait()


class Session:
    """A session bus of the user's with a real keyring on it."""

    SCRIPT = """
printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 || exit 1
until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \\
  org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; do sleep 0.01; done
echo $DBUS_SESSION_BUS_ADDRESS
read end
"""

    def __init__(self, folder):
        Home.directory(folder)
        own = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": "/usr/bin:/bin"}
        self.options = {} if os.geteuid() == UID else {"user": UID, "group": UID, "extra_groups": []}
        command = ["dbus-run-session", "--", "/bin/sh", "-c", self.SCRIPT]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, env=own, cwd=folder, **pipes, **self.options)
        address = self.process.stdout.readline().decode().strip()
        if not address:
            sys.exit("no session bus with a keyring could be started")
        self.variables = {"DBUS_SESSION_BUS_ADDRESS": address}
        self.own = own | self.variables

    def item(self):
        """The key that quick unlock keeps there."""
        command = ["secret-tool", "lookup", "xdg:schema", "org.passcoded.QuickUnlock"]
        return subprocess.run(command, env=self.own, check=True, capture_output=True, **self.options).stdout

    def close(self):
        self.process.stdin.close()
        self.process.wait()
