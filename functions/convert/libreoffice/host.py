"""Keeps one LibreOffice running and has it convert documents, one at a time.

Started by process.ts with: soffice.bin, a folder of its own, a name for the pipe, a limit in bytes for a file it
writes. Orders come in as lines of JSON on standard input, answers go out as lines of JSON on standard output. It ends,
and LibreOffice with it, when its parent does.
"""

import ctypes
import json
import os
import platform
import resource
import signal
import struct
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

# How LibreOffice ends when it has set up a new profile.
WANTS_RESTART = 81

libc = ctypes.CDLL(None, use_errno=True)


def prctl(*arguments):
    if libc.prctl(*(ctypes.c_ulong(argument) for argument in arguments)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


# Per architecture: AUDIT_ARCH and the numbers of socket, ptrace, process_vm_readv, process_vm_writev.
SYSTEM_CALLS = {
    "x86_64": (0xC000003E, 41, 101, 310, 311),
    "aarch64": (0xC00000B7, 198, 117, 270, 271),
}
IO_URING_SETUP = 425  # the same everywhere; could open sockets past the filter
X32_BIT = 0x40000000
AF_UNIX = 1
EACCES = 13


def forbid_network():
    """Leaves sockets within the machine only, for this process and all it starts, for good (seccomp(2)).

    Whatever a document names, and whatever it makes LibreOffice do, nothing is reached from here. Other processes of
    the same user can be neither read nor changed.
    """
    audit, socket, ptrace, readv, writev = SYSTEM_CALLS[platform.machine()]
    load, jump_equal, jump_set, give = 0x20, 0x15, 0x45, 0x06
    allow, deny = 0x7FFF0000, 0x00050000 | EACCES
    program = [
        (load, 0, 0, 4),  # architecture
        (jump_equal, 0, 9, audit),
        (load, 0, 0, 0),  # number of the system call
        (jump_set, 7, 0, X32_BIT),
        (jump_equal, 6, 0, ptrace),
        (jump_equal, 5, 0, readv),
        (jump_equal, 4, 0, writev),
        (jump_equal, 3, 0, IO_URING_SETUP),
        (jump_equal, 0, 3, socket),
        (load, 0, 0, 16),  # first argument: the family
        (jump_equal, 1, 0, AF_UNIX),
        (give, 0, 0, deny),
        (give, 0, 0, allow),
    ]
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    filter_ = Program(len(program), ctypes.addressof(buffer))
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_), 0, 0)


def die_with_parent():
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def answer(**fields):
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def start_office(executable, folder, pipe):
    return subprocess.Popen(
        [
            executable,
            "-env:UserInstallation=" + uno.systemPathToFileUrl(folder + "/profile"),
            "--headless",
            "--invisible",
            "--nologo",
            "--norestore",
            "--nodefault",
            "--nolockcheck",
            "--accept=pipe,name=" + pipe + ";urp;",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        # A file that grows too large then fails to be written, and does not end the process (SIGXFSZ).
        restore_signals=False,
        preexec_fn=die_with_parent,
    )


def connect(executable, folder, pipe):
    """Starts LibreOffice. Returns its process and its desktop, as soon as it answers."""
    office = start_office(executable, folder, pipe)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    address = "uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext"
    while True:
        try:
            context = resolver.resolve(address)
            return office, context.ServiceManager.createInstanceWithContext(
                "com.sun.star.frame.Desktop", context
            )
        except NoConnectException:
            code = office.poll()
            if code == WANTS_RESTART:
                office = start_office(executable, folder, pipe)
            elif code is not None:
                raise RuntimeError("LibreOffice ended with %s" % code)
            time.sleep(0.01)


def remove_sockets(pid):
    """Deletes the files of the sockets LibreOffice listens on: nobody else is to connect, and no crash leaves them."""
    inodes = set()
    for entry in os.listdir("/proc/%d/fd" % pid):
        try:
            target = os.readlink("/proc/%d/fd/%s" % (pid, entry))
        except FileNotFoundError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[len("socket:[") : -1])
    with open("/proc/net/unix") as table:
        for line in table:
            fields = line.split()
            if len(fields) == 8 and fields[6] in inodes and fields[7].startswith("/"):
                try:
                    os.unlink(fields[7])
                except FileNotFoundError:
                    pass


def properties(values):
    return tuple(PropertyValue(name, 0, prepared(value), 0) for name, value in values.items())


def prepared(value):
    if isinstance(value, dict):
        return uno.Any("[]com.sun.star.beans.PropertyValue", properties(value))
    return value


def convert(desktop, order):
    """Returns the fields of the answer. `at` says how far a conversion came that failed: load or store."""
    document = None
    at = "load"
    try:
        # 0 and 0: no macros (MacroExecMode.NEVER_EXECUTE), no update of links (UpdateDocMode.NO_UPDATE).
        load = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": 0, "UpdateDocMode": 0, **order["load"]}
        document = desktop.loadComponentFromURL(
            uno.systemPathToFileUrl(order["input"]), "_blank", 0, properties(load)
        )
        if document is None:
            return {"ok": False, "at": at, "message": "nothing was loaded"}
        at = "store"
        title = order.get("title")
        if title and not document.DocumentProperties.Title:
            document.DocumentProperties.Title = title
        document.storeToURL(uno.systemPathToFileUrl(order["output"]), properties(order["store"]))
        return {"ok": True}
    except Exception as error:
        # Raises in its turn when it was LibreOffice that ended: what the first one says of that differs.
        desktop.getCurrentComponent()
        return {"ok": False, "at": at, "message": "%s: %s" % (type(error).__name__, error)}
    finally:
        if document is not None:
            document.close(True)


def main():
    executable, folder, pipe, largest = sys.argv[1:]
    die_with_parent()
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), int(largest)))
    forbid_network()
    office, desktop = connect(executable, folder, pipe)
    try:
        remove_sockets(office.pid)
        answer(ready=True, pid=office.pid)
        for line in sys.stdin:
            answer(**convert(desktop, json.loads(line)))
    finally:
        # Nobody but its parent takes note of its end; else it stays behind as a zombie.
        office.kill()
        office.wait()


main()
