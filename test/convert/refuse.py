"""Becomes a program to which the kernel refuses what Lambda refuses: prctl(2) with all its options, and landlock(7)."""

import ctypes
import os
import platform
import struct
import sys

PRCTL, ARCHITECTURE = {"x86_64": (157, 0xC000003E), "aarch64": (167, 0xC00000B7)}[platform.machine()]
LANDLOCK_CREATE_RULESET = 444
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
LOAD, EQUAL, GIVE = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7FFF0000, 0x00050001

PROGRAM = [
    (LOAD, 0, 0, 4),
    (EQUAL, 0, 3, ARCHITECTURE),
    (LOAD, 0, 0, 0),
    (EQUAL, 2, 0, PRCTL),
    (EQUAL, 1, 0, LANDLOCK_CREATE_RULESET),
    (GIVE, 0, 0, ALLOW),
    (GIVE, 0, 0, EPERM),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in PROGRAM))


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]


libc = ctypes.CDLL(None)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
    sys.exit("no new privileges cannot be set")
if libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(Filter(len(PROGRAM), ctypes.addressof(code))), 0, 0) != 0:
    sys.exit("the filter cannot be set")
os.execv(sys.argv[1], sys.argv[1:])
