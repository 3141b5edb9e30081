"""Looks for canaries in the memory of another process, and in files."""
import base64
import ctypes
import os
import platform
import signal
import time

PAGE = 4096
ZEROS = bytes(PAGE)
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
PTRACE_CONT, PTRACE_SEIZE, TRACE_EXIT, EVENT_EXIT = 7, 0x4206, 0x40, 6


def shapes(canary):
    """The bytes as they are, as UTF-16, and as base64 at each of the three offsets that they can have in a longer text."""
    yield canary
    yield b"".join(bytes([byte, 0]) for byte in canary)
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + canary)
        # The first characters hold bits of what is before, the last ones of what is behind.
        yield encoded[4 if before else 0 :].rstrip(b"=")[:-1]


class Needles:
    """Canaries, found whole or by any eight bytes in a row of any of their shapes."""

    def __init__(self, canaries):
        self.names = list(canaries)
        self.whole = {name: list(shapes(canary)) for name, canary in canaries.items()}
        self.pieces = {}
        for name, texts in self.whole.items():
            for text in texts:
                for at in range(len(text) - 7):
                    self.pieces[int.from_bytes(text[at : at + 8], "little")] = name

    def count(self, content, found=None):
        """How many pieces of each canary there are, adjoining ones counted once."""
        found = dict.fromkeys(self.names, 0) if found is None else found
        places = {}
        for shift in range(8):
            words = memoryview(content)[shift:]
            words = words[: len(words) // 8 * 8].cast("Q")
            for word in self.pieces.keys() & set(words):
                places.setdefault(self.pieces[word], []).extend(
                    8 * index + shift for index, each in enumerate(words) if each == word)
        for name, offsets in places.items():
            offsets.sort()
            found[name] += sum(1 for before, at in zip([-9, *offsets], offsets) if at - before > 8)
        return found


def mappings(pid):
    """The readable mappings: start, end, whether a core file would hold it. Code and data of unchanged files are left out."""
    with open(f"/proc/{pid}/smaps") as lines:
        head = None
        for line in lines:
            fields = line.split()
            if "-" in fields[0] and not fields[0].endswith(":"):
                head = fields
            elif fields[0] == "VmFlags:":
                start, end = (int(part, 16) for part in head[0].split("-"))
                if head[1][0] == "r" and (head[1][1] == "w" or head[4] == "0") and head[-1] not in ("[vvar]", "[vsyscall]"):
                    yield start, end, "dd" not in fields


def pages(pid, is_dumped=False):
    """What is not all zeros, run by run."""
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for start, end, in_core in mappings(pid):
            if is_dumped and not in_core:
                continue
            run = bytearray()
            for at in range(start, end, 1 << 20):
                try:
                    content = os.pread(memory.fileno(), min(1 << 20, end - at), at)
                except OSError:
                    continue
                for offset in range(0, len(content), PAGE):
                    page = content[offset : offset + PAGE]
                    if page != ZEROS:
                        run += page
                    elif run:
                        yield bytes(run)
                        run = bytearray()
            if run:
                yield bytes(run)


def scan(pid, needles, is_dumped=False):
    found = dict.fromkeys(needles.names, 0)
    for content in pages(pid, is_dumped):
        needles.count(content, found)
    return found


def scan_files(folder, needles, skipped=()):
    """Returns what was found, and how many bytes were looked at."""
    found, total = dict.fromkeys(needles.names, 0), 0
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if path in skipped or not os.path.isfile(path) or os.path.islink(path):
                continue
            with open(path, "rb") as file:
                content = file.read()
            total += len(content)
            needles.count(content, found)
    return found, total


class stopped:
    """Holds a process still for as long as it is looked at."""

    def __init__(self, pid):
        self.pid = pid

    def __enter__(self):
        os.kill(self.pid, signal.SIGSTOP)
        while open(f"/proc/{self.pid}/stat").read().rpartition(")")[2].split()[0] not in "Tt":
            time.sleep(0.001)

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGCONT)


READ = {"x86_64": 0, "aarch64": 63}[platform.machine()]


def wait_until_reading(pid, descriptor):
    """Returns when the process waits for input there: what is before its first instruction of ours is over then."""
    wanted = f"{READ} {descriptor:#x} "
    while not open(f"/proc/{pid}/syscall").read().startswith(wanted):
        time.sleep(0.002)


def scan_at_exit(process, needles, go_on):
    """Lets a process that waits for input run to its end and looks at its memory there.

    go_on: gives it what it waits for.
    """
    if libc.ptrace(PTRACE_SEIZE, process.pid, None, TRACE_EXIT) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    go_on()
    while True:
        _, status = os.waitpid(process.pid, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            raise AssertionError(f"it ended unseen: {status:#x}")
        if status >> 16 == EVENT_EXIT:
            break
        number = os.WSTOPSIG(status)
        libc.ptrace(PTRACE_CONT, process.pid, None, 0 if status >> 16 else number)
    found = scan(process.pid, needles)
    libc.ptrace(PTRACE_CONT, process.pid, None, None)
    return found
