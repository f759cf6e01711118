"""Restricts a program that reads untrusted documents, and all processes it starts, permanently.

Node passes the settings as JSON in PLATEN_BOUNDS (confinement.ts). `required`: whether the program ends if the kernel
refuses a restriction, instead of continuing with the others, as it must on Lambda. `reads` and `writes`: paths in
addition to those of the system.
"""

import ctypes
import json
import os
import platform
import resource
import select
import signal
import stat
import struct
import sys
import threading

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

libc = ctypes.CDLL(None, use_errno=True)

# Child processes do not inherit the settings, which contain paths.
settings = json.loads(os.environ.pop("PLATEN_BOUNDS"))

# The requested restrictions by name: "held", or why the kernel refused.
state: dict[str, str] = {}


def attempt(name, action):
    """Asks the kernel for a restriction. If it refuses, the program ends, or continues if the settings allow it."""
    try:
        if sys.platform != "linux":
            # Numbers of system calls mean others there.
            raise OSError("only Linux has this restriction")
        action()
        state[name] = "held"
    except (OSError, KeyError) as error:
        # KeyError: the numbers of system calls of this architecture are not known.
        if settings["required"]:
            raise RuntimeError("the kernel refuses %s: %s" % (name, error)) from error
        state[name] = str(error)


def checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def prctl(*arguments):
    checked(libc.prctl(*(ctypes.c_ulong(argument) for argument in arguments)))


# Per architecture: AUDIT_ARCH and the numbers of socket, ptrace, process_vm_readv, process_vm_writev.
SYSTEM_CALLS = {
    "x86_64": (0xC000003E, 41, 101, 310, 311),
    "aarch64": (0xC00000B7, 198, 117, 270, 271),
}
IO_URING_SETUP = 425  # the same on all architectures; it could open sockets that the filter does not see
X32_BIT = 0x40000000
AF_UNIX = 1
EACCES = 13


def forbid_network():
    """Allows only sockets within the machine (seccomp(2)).

    Whatever a document refers to, an engine cannot connect to it. The process can neither read nor change the memory of
    other processes of the same user.
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
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_), 0, 0)


LINUX_CAPABILITY_VERSION_3 = 0x20080522


def drop_capabilities():
    """Drops root's capabilities(7), with which it could read the environment of processes despite Landlock."""
    header = struct.pack("=Ii", LINUX_CAPABILITY_VERSION_3, 0)
    checked(libc.capset(header, bytes(24)))


# landlock(7): the numbers of the system calls are the same on all architectures.
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_CREATE_RULESET_VERSION = 1
LANDLOCK_RULE_PATH_BENEATH = 1

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_FILE = 1 << 5
MAKE_SOCK = 1 << 9
TRUNCATE = 1 << 14
# By version: the file rights that the kernel knows. Then the rights for TCP, and scopes (abstract sockets, signals).
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
ALL_TCP = 0b11
ALL_SCOPES = 0b11

READ = EXECUTE | READ_FILE | READ_DIR
# The process can create no devices and execute no file that it has written.
WRITE = ((1 << 15) - 1) & ~(EXECUTE | (1 << 6) | (1 << 11))
# The rights that a rule for a file may contain; the other rights apply to directories.
OF_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

# Programs, libraries, fonts and settings: files that every user of the machine may read and that hold no secret. Parts
# of /usr and /etc are missing, because containers store their applications there.
SYSTEM = [
    *("/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/share"),
    *("/usr/local/lib", "/usr/local/share/fonts"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/fonts", "/etc/ghostscript", "/etc/libreoffice"),
    *("/etc/alternatives", "/etc/gtk-3.0", "/etc/mime.types", "/etc/localtime", "/etc/papersize"),
    *("/var/lib/libreoffice", "/var/spool/libreoffice", "/var/lib/ghostscript", "/var/cache/fontconfig"),
]
# Files in which programs read properties of the machine and of the kernel.
KERNEL = [
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/version"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/osrelease", "/sys/devices/system/cpu"),
]
DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]


def restrict_files(extra=()):
    """Restricts this process and all it starts to the files that they need (landlock(7)).

    This also restricts access to processes outside: their environment and memory, signals, and their abstract sockets.

    :param extra: pairs of a path and rights, in addition to those of the system and of the settings
    """
    version = checked(libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION))
    handled = FILE_RIGHTS[max(known for known in FILE_RIGHTS if known <= version)]
    attributes = [handled, ALL_TCP, ALL_SCOPES][: 1 if version < 4 else 2 if version < 6 else 3]
    packed = struct.pack("%dQ" % len(attributes), *attributes)
    ruleset = checked(libc.syscall(LANDLOCK_CREATE_RULESET, packed, len(packed), 0))
    try:
        for path in SYSTEM + KERNEL + settings["reads"]:
            allow(ruleset, handled, path, READ)
        for path in DEVICES:
            allow(ruleset, handled, path, READ_FILE | WRITE_FILE)
        for path in settings["writes"]:
            allow(ruleset, handled, path, READ & ~EXECUTE | WRITE)
        for path, rights in extra:
            allow(ruleset, handled, path, rights)
        checked(libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def allow(ruleset, handled, path, rights):
    """Adds a rule for a path; ignores a path that does not exist, which nobody can read."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= OF_FILE
        rule = struct.pack("=Qi", rights & handled, place)
        checked(libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0))
    finally:
        os.close(place)


def die_with_parent(how=signal.SIGKILL):
    attempt("end with the parent", lambda: prctl(PR_SET_PDEATHSIG, how, 0, 0, 0))


def die_with_input():
    """Kills the process group that this program leads when its parent has ended, which closes its standard input.

    This is for kernels that do not end a process with its parent, as in Lambda. It must be called after `confine`,
    which restricts only the calling thread and what that starts.
    """

    def watch():
        hang_up = select.poll()
        # Linux reports a hang-up even if no events are requested, macOS only if it is.
        hang_up.register(0, select.POLLHUP)
        hang_up.poll()
        try:
            os.killpg(os.getpid(), signal.SIGKILL)
        except ProcessLookupError:
            # The program was started by hand and leads no process group.
            pass

    threading.Thread(target=watch, daemon=True).start()


def adopt_orphans():
    """Makes this process adopt orphaned descendants, so that it can reap them and none stays as a zombie."""
    attempt("adoption of orphans", lambda: prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def confine(largest, extra=()):
    """Forbids the network, unneeded files, core files, files larger than `largest`, and files that others may read.

    :param extra: as for `restrict_files`
    """
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    attempt("no new privileges", lambda: prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    attempt("capabilities", drop_capabilities)
    attempt("files", lambda: restrict_files(extra))
    attempt("network", forbid_network)
