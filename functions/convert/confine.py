"""What a program that reads strangers' documents may not do, for it and all it starts, for good."""

import ctypes
import os
import platform
import resource
import signal
import struct

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

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
    """Leaves sockets within the machine only (seccomp(2)).

    Whatever a document names, and whatever it makes an engine do, nothing is reached from here. Other processes of
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


def die_with_parent(how=signal.SIGKILL):
    prctl(PR_SET_PDEATHSIG, how, 0, 0, 0)


def adopt_orphans():
    """What is left behind below this process becomes its child, and no zombie that nobody takes note of."""
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def confine(largest):
    """No network, no core files, no file larger than so many bytes, and nothing that others may read."""
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    forbid_network()
