"""What foreign Varlink clients must see: run by scripts/varlink-clients.

usage: varlink_clients.py SOCKET IDL-FOLDER

The store is unlocked, its passcode is OLD, and it holds work/api/token = s3cret-token.
"""
import asyncio
import base64
import contextlib
import pathlib
import sys

import varlink
from asyncvarlink import VarlinkClientProtocol, VarlinkMethodCall, connect_unix_varlink

SERVICE, PASSCODE, CREDENTIALS = "org.varlink.service", "org.passcoded.Passcode", "org.passcoded.Credentials"
OLD, NEW = "amber-lantern-49-orbit-mule", "five-copper-kites-drift-17"
socket, idl_folder = sys.argv[1], pathlib.Path(sys.argv[2])
count = 0


def expect(holds, fact):
    global count
    if not holds:
        sys.exit(f"not so: {fact}")
    count += 1
    print(f"ok: {fact}")


def error_of(function, **named):
    """The name of the error that a call answers, or None."""
    try:
        function(**named)
    except varlink.VarlinkError as error:
        return error.error()
    return None


def with_varlink():
    """PyPI varlink checks each parameter and each reply against the description that the daemon itself gives."""
    with varlink.Client(address=f"unix:{socket}") as client:
        interfaces = client.get_interfaces()
        expect({SERVICE, PASSCODE, CREDENTIALS} <= set(interfaces), f"varlink: GetInfo lists {', '.join(sorted(interfaces))}")
        with client.open(PASSCODE) as passcode, client.open(CREDENTIALS) as credentials:
            call_credentials(credentials)
            call_passcode(passcode)
            expect(passcode.Status()["state"] == "locked", "varlink: Status says locked")
            name = error_of(credentials.Get, name="work/api/token")
            expect(name == f"{PASSCODE}.Locked", f"varlink: a locked store answers {name}")


def call_credentials(credentials):
    secret = credentials.Get(name="work/api/token")["secret"]
    expect(base64.b64decode(secret) == b"s3cret-token", "varlink: Get returns the secret byte for byte")
    put = credentials.Put(name="work/api/bytes", secret=base64.b64encode(bytes(range(256))).decode(), attributes={"k": "v"})
    expect(put["created"], "varlink: Put stores a new credential")
    found = credentials.Find(attributes={"k": "v"})["credentials"]
    expect([(each["name"], each["size"]) for each in found] == [("work/api/bytes", 256)], "varlink: Find finds it")
    listed = [each["name"] for each in credentials.List(folder="work")["credentials"]]
    expect(listed == ["work/api/bytes", "work/api/token"], "varlink: List is in byte order")
    name = error_of(credentials.Get, name="work/api/none")
    expect(name == f"{CREDENTIALS}.NotFound", f"varlink: an absent name answers {name}")


def call_passcode(passcode):
    expect(passcode.Status()["state"] == "unlocked", "varlink: Status says unlocked")
    weak = passcode.Check(passcode="password")
    expect(not weak["accepted"] and weak["unmet"], "varlink: Check refuses a common password")
    name = error_of(passcode.Verify, passcode="wrong")
    expect(name == f"{PASSCODE}.WrongPasscode", f"varlink: a wrong passcode answers {name}")
    step = passcode.StartFlow(flow="change")["step"]
    steps = [step["step"]]
    for entry in (OLD, NEW, NEW):
        steps.append(passcode.EnterPasscode(passcode=entry)["step"]["step"])
    expect(steps == ["current", "enter", "confirm", "finished"], f"varlink: the flow of change goes {' → '.join(steps)}")
    passcode.Verify(passcode=NEW)
    expect(error_of(passcode.Verify, passcode=OLD) == f"{PASSCODE}.WrongPasscode", "varlink: the old passcode is out")
    passcode.Lock()


async def with_asyncvarlink():
    transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, socket)

    async def call(method, parameters=None):
        reply, _ = await protocol.call(VarlinkMethodCall(method, parameters or {}))
        return reply

    info = (await call(f"{SERVICE}.GetInfo")).parameters
    expect(set(info) == {"vendor", "product", "version", "url", "interfaces"}, "asyncvarlink: GetInfo has its five fields")
    for path in sorted(idl_folder.glob("*.varlink")):
        name = path.name.removesuffix(".varlink")
        reply = await call(f"{SERVICE}.GetInterfaceDescription", {"interface": name})
        expect(reply.parameters.get("description") == path.read_text(), f"asyncvarlink: {name} is described by its file")
    for method, parameters, error in [
        (f"{SERVICE}.GetInterfaceDescription", {"interface": "a.b"}, "InterfaceNotFound"),
        ("a.b.C", {}, "InterfaceNotFound"),
        (f"{PASSCODE}.NoSuch", {}, "MethodNotFound"),
        (f"{PASSCODE}.Status", {"noSuch": 1}, "InvalidParameter"),
        (f"{SERVICE}.GetInterfaceDescription", {}, "InvalidParameter"),
    ]:
        reply = await call(method, parameters)
        expect(reply.error == f"{SERVICE}.{error}", f"asyncvarlink: {method} {parameters} answers {error}")
    monitor = protocol.call_more(VarlinkMethodCall(f"{PASSCODE}.Monitor", {}, more=True))
    first, _ = await anext(monitor)
    expect(first.continues and first.parameters["state"] == "unlocked", "asyncvarlink: Monitor begins with the state now")
    transport.close()
    with contextlib.suppress(ConnectionResetError):
        await anext(monitor)
    transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, socket)
    replies = await asyncio.gather(*(call(f"{PASSCODE}.Status") for _ in range(20)))
    expect(all(reply.error is None for reply in replies), "asyncvarlink: 20 calls sent at once are answered in order")
    transport.close()


asyncio.run(with_asyncvarlink())
with_varlink()
print(f"{count} facts hold.")
