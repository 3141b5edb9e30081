"""What the command and the keyring's helper hold at their end, and while they wait."""
import fcntl
import os
import pty
import secrets
import select
import subprocess
import termios

import memory_probe
import process_memory
from testbed import UID


def piped(home, arguments, passcodes, given=None):
    """Starts the command with each passcode on a pipe of its own, held back.

    Returns it, the descriptor that it waits at first, and what lets it go on.
    """
    arguments, readers, writers = list(arguments), [], []
    for option, content in passcodes:
        reader, writer = os.pipe()
        arguments += [option, str(reader)]
        readers.append(reader)
        writers.append((writer, content))
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "pass_fds": readers}
    process = home.start("passcode", *arguments, **options)
    for reader in readers:
        os.close(reader)

    def go_on():
        for writer, content in writers:
            os.write(writer, content)
            os.close(writer)
        if given is not None:
            process.stdin.write(given)
        process.stdin.close()

    return process, readers[0] if readers else 0, go_on


def command(scan, moment, arguments, passcodes=(), given=None, code=0):
    """Runs the command to its end, and looks there."""
    process, descriptor, go_on = piped(scan.home, arguments, passcodes, given)
    process_memory.wait_until_reading(process.pid, descriptor)
    found = process_memory.scan_at_exit(process, scan.needles(), go_on)
    output, errors = process.stdout.read(), process.stderr.read()
    process.wait()
    assert process.returncode == code, (arguments, process.returncode, errors)
    scan.table.add("command at its end", moment, found)
    return output


def command_line(scan):
    passcode = ("--passcode-fd", scan.canaries["recovered passcode"])
    new = ("--new-passcode-fd", scan.canaries["last passcode"])
    secret = scan.canaries["secret"]
    command(scan, "unlock", ["unlock", "--no-quick"], [passcode])
    scan.home.client().call("Passcode.Lock")
    on_terminal(scan, "unlock, typed", ["unlock", "--no-quick"], passcode[1])
    command(scan, "unlock, wrong", ["unlock", "--no-quick"], [("--passcode-fd", scan.canaries["wrong passcode"])], code=77)
    command(scan, "put", ["put", "b"], given=secret)
    assert command(scan, "verify", ["verify"], [passcode]) == b""
    scan.home.client().call("Passcode.Lock")
    assert command(scan, "get, locked", ["get", "b"], [passcode]) == secret
    scan.home.client().call("Passcode.Lock")
    assert secret not in command(scan, "get --json, locked", ["get", "b", "--json"], [passcode])
    command(scan, "check", ["check"], [("--passcode-fd", scan.canaries["candidate"])])
    printed = command(scan, "recovery create", ["recovery", "create"], [passcode]).decode().strip()
    scan.learn_recovery_key(printed)
    command(scan, "change", ["change"], [passcode, new])
    given = [("--recovery-key-fd", printed.encode()), ("--new-passcode-fd", scan.canaries["candidate"])]
    command(scan, "recover", ["recover"], given)
    scan.look("after all commands", must=scan.open_keys)


def on_terminal(scan, moment, arguments, typed):
    """As ``command``, with the passcode typed at a terminal of its own."""
    master, terminal = pty.openpty()
    os.chown(os.ttyname(terminal), UID, -1)
    ends = {"stdin": terminal, "stdout": terminal, "stderr": terminal}

    def take_terminal():
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    process = scan.home.start("passcode", *arguments, preexec_fn=take_terminal, **ends)
    os.close(terminal)
    shown = b""
    while b": " not in shown or termios.tcgetattr(master)[3] & termios.ECHO:
        if select.select([master], [], [], 0.01)[0]:
            shown += os.read(master, 1000)
    found = process_memory.scan_at_exit(process, scan.needles(), lambda: os.write(master, typed + b"\r"))
    assert process.wait() == 0, os.read(master, 1000)
    os.close(master)
    scan.table.add("command at its end", moment, found)


def waiting_command(scan):
    """One that waits for input, for others to look at."""
    process, _, go_on = piped(scan.home, ["put", "c"], [], b"\n")
    process_memory.wait_until_reading(process.pid, 0)
    process.stdin.write(scan.canaries["secret"])
    process.stdin.flush()
    scan.table.add("command", "while it reads a secret", seen(scan, process, "secret"), ["secret"])
    memory_probe.probe(process.pid, "command", scan.table)
    go_on()
    assert process.wait() == 0


def seen(scan, process, name):
    """Looks until the canary is there: the scan is not blind."""
    while True:
        with process_memory.stopped(process.pid):
            found = process_memory.scan(process.pid, scan.needles())
        if found[name]:
            return found


def helper(scan, verb, secret):
    head = bytes(16) + bytes(7) + b"\1"
    scan.canaries["keyring key"] = secret
    scan.home.variables["LD_BIND_NOW"] = "1"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = scan.home.start("passcode-keyring", **pipes)
    process_memory.wait_until_reading(process.pid, 0)

    def go_on():
        process.stdin.write(b"\1\1" + head + secret if verb == "store" else b"\1\2" + head)
        process.stdin.close()

    found = process_memory.scan_at_exit(process, scan.needles(), go_on)
    answer = process.stdout.read()
    assert process.wait() == 0 and answer == (b"\0" if verb == "store" else b"\0" + secret), answer
    scan.table.add("keyring helper at its end", verb, found)


def run(scan):
    scan.home.start_daemon()
    command_line(scan)
    waiting_command(scan)
    scan.look_on_disk("after all commands")
    secret = secrets.token_bytes(32)
    helper(scan, "store", secret)
    helper(scan, "load", secret)
