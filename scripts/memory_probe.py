"""Tries to read a process as another one of the same user, which did not start it.

usage: memory_probe.py PID        (as that user; prints each way and whether it went through)
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_DETACH, PIDFD_GETFD = 16, 17, 438


class IOVector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def read_mem(pid):
    with open(f"/proc/{pid}/mem", "rb", 0):
        pass


def read_maps(pid):
    with open(f"/proc/{pid}/maps", "rb") as file:
        assert file.read()


def read_environment(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        assert file.read()


def list_descriptors(pid):
    assert os.listdir(f"/proc/{pid}/fd")


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def ptrace(pid):
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    checked(libc.ptrace(PTRACE_ATTACH, pid, None, None))
    os.waitpid(pid, 0x40000000)
    libc.ptrace(PTRACE_DETACH, pid, None, None)


def process_vm_readv(pid):
    # Refused before it looks at the address: that no memory is there would be another error.
    buffer = ctypes.create_string_buffer(8)
    local, remote = IOVector(ctypes.addressof(buffer), 8), IOVector(4096, 8)
    result = libc.process_vm_readv(pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    if result < 0 and ctypes.get_errno() != 14:
        checked(result)


def pidfd_getfd(pid):
    process = os.pidfd_open(pid)
    os.close(checked(libc.syscall(PIDFD_GETFD, process, 0, 0)))


def gcore(pid):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcore", "-o", f"{folder}/core", str(pid)], capture_output=True, stdin=subprocess.DEVNULL, check=False)
        if not os.listdir(folder):
            raise PermissionError(1, "no core was written")


WAYS = (read_mem, read_maps, read_environment, list_descriptors, ptrace, process_vm_readv, pidfd_getfd, gcore)


def main():
    for way in WAYS:
        if way is gcore and not shutil.which("gcore"):
            print("gcore", "absent")
            continue
        try:
            way(int(sys.argv[1]))
            print(way.__name__, "open")
        except OSError as error:
            print(way.__name__, "refused" if error.errno in (1, 13) else f"failed:{error}".replace(" ", "-"))


def probe(pid, place, table):
    """Tries each way, and for control at a process of the same user that does not defend itself."""
    from testbed import UID

    as_user = {"user": UID, "group": UID, "extra_groups": []}

    def outcomes(target):
        # Neither this file nor any other Python than the system's has to be readable for that user.
        command = ["/usr/bin/python3", "-I", "-c", pathlib.Path(__file__).read_text(), str(target)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True, cwd="/", **as_user).stdout.splitlines()
        return dict(line.split(None, 1) for line in lines)

    control = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, cwd="/", **as_user)
    try:
        open_ways = outcomes(control.pid)
    finally:
        control.kill()
        control.wait()
    for way, outcome in outcomes(pid).items():
        if outcome != "absent":
            fact = f"{way.replace('_', ' ')} {outcome}; {open_ways[way]} at a program that does not defend itself"
            table.add_fact(f"another process reads the {place}", fact, outcome == "refused")


if __name__ == "__main__":
    main()
