"""The machine that a run was made on, without a name or a path of it."""
import ctypes.util
import os
import pathlib
import platform
import re
import sqlite3
import subprocess


def first(pattern, text, otherwise="unknown"):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1).strip().strip('"') if match else otherwise


def read(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


def file_system(folder):
    """Its type and options, of the mount that holds the folder."""
    mounts = [line.split() for line in read("/proc/self/mounts").splitlines()]
    place = str(pathlib.Path(folder).resolve()) + "/"
    holding = [mount for mount in mounts if place.startswith(mount[1].rstrip("/") + "/")]
    return f"{holding[-1][2]} ({holding[-1][3]})" if holding else "unknown"


def libsodium():
    name = ctypes.util.find_library("sodium")
    if name is None:
        return "unknown"
    version = ctypes.CDLL(name).sodium_version_string
    version.restype = ctypes.c_char_p
    return version().decode()


def describe(data_folder):
    cpu, release = read("/proc/cpuinfo"), read("/etc/os-release")
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    return {
        "cpu": first(r"^model name\s*:\s*(.+)$", cpu, platform.machine()),
        "cpus": len(os.sched_getaffinity(0)),
        "virtual": bool(re.search(r"^flags\s*:.*\bhypervisor\b", cpu, re.MULTILINE)),
        "memoryMiB": int(first(r"^MemTotal:\s*(\d+) kB", read("/proc/meminfo"), "0")) // 1024,
        "kernel": platform.release(),
        "system": first(r"^PRETTY_NAME=(.+)$", release),
        "fileSystem": file_system(data_folder),
        "swift": first(r"Swift version (\S+)", swift),
        "sqlite": sqlite3.sqlite_version,
        "libsodium": libsodium(),
        "loadBefore": round(os.getloadavg()[0], 2),
    }


def sentence(machine):
    virtual = ", virtual" if machine["virtual"] else ""
    return (
        f"{machine['cpu']}, {machine['cpus']} CPUs{virtual}, {machine['memoryMiB'] / 1024:.0f} GiB; {machine['system']}, "
        f"Linux {machine['kernel']}, {machine['fileSystem']}; Swift {machine['swift']}, SQLite {machine['sqlite']}, "
        f"libsodium {machine['libsodium']}; load before the run {machine['loadBefore']}"
    )
