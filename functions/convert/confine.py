"""What a program that reads strangers' documents may not do, for it and all it starts, for good.

Node says in PLATEN_BOUNDS (confinement.ts), as JSON: `required`, whether a program that the kernel refuses some of
it ends, or goes on with the rest, as it must on Lambda; `reads` and `writes`, places besides those of the system.
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
import threading

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

libc = ctypes.CDLL(None, use_errno=True)

# Not for what is started: it tells where things lie.
settings = json.loads(os.environ.pop("PLATEN_BOUNDS"))

# What the kernel was asked for: "held", or why not.
state: dict[str, str] = {}


def attempt(name, action):
    """Asks the kernel for a restriction. Where it refuses, the program ends, or goes on if it may."""
    try:
        action()
        state[name] = "held"
    except (OSError, AttributeError, KeyError) as error:
        # The latter two where the system, or its machine, knows nothing of it.
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
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_), 0, 0)


LINUX_CAPABILITY_VERSION_3 = 0x20080522


def drop_capabilities():
    """Root without its rights (capabilities(7)): with them it reads the environment of processes, Landlock or not."""
    header = struct.pack("=Ii", LINUX_CAPABILITY_VERSION_3, 0)
    checked(libc.capset(header, bytes(24)))


# landlock(7): numbers of the system calls, the same everywhere.
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
# By version: rights to files that the kernel knows, those to TCP, and scopes (abstract sockets, signals).
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
ALL_TCP = 0b11
ALL_SCOPES = 0b11

READ = EXECUTE | READ_FILE | READ_DIR
# No devices, and nothing that was written can be run.
WRITE = ((1 << 15) - 1) & ~(EXECUTE | (1 << 6) | (1 << 11))
# The rights that a rule for a file may name, which is none of a directory.
OF_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

# Programs, libraries, fonts and settings: what every user of the machine may read, and what holds no secret. Not all of
# /usr, where containers keep their applications, and not all of /etc.
SYSTEM = [
    *("/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/share"),
    *("/usr/local/lib", "/usr/local/share/fonts"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/fonts", "/etc/ghostscript", "/etc/libreoffice"),
    *("/etc/alternatives", "/etc/gtk-3.0", "/etc/mime.types", "/etc/localtime", "/etc/papersize"),
    *("/var/lib/libreoffice", "/var/spool/libreoffice", "/var/lib/ghostscript", "/var/cache/fontconfig"),
]
# What programs ask of the kernel about the machine, and of themselves.
KERNEL = [
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/version"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/osrelease", "/sys/devices/system/cpu"),
]
DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]


def restrict_files(extra=()):
    """Leaves of the file system what it takes, for this process and all it starts (landlock(7)).

    Processes outside are out of reach too: their environment and memory, signals to them, their sockets without a file.

    :param extra: pairs of a path and rights, besides the system's and those of the settings
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
    """A path that is not there cannot be read."""
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
    """Kills the process group that this program leads when its parent is gone, which holds the other end of its input.

    For where the kernel lets no process end with its parent, as in Lambda. Not before `confine`, which holds for one
    thread and what it starts.
    """

    def watch():
        hang_up = select.poll()
        # Nothing but its end, which is told always.
        hang_up.register(0, 0)
        hang_up.poll()
        try:
            os.killpg(os.getpid(), signal.SIGKILL)
        except ProcessLookupError:
            # Started by hand: the group is another's.
            pass

    threading.Thread(target=watch, daemon=True).start()


def adopt_orphans():
    """What is left behind below this process becomes its child, and no zombie that nobody takes note of."""
    attempt("adoption of orphans", lambda: prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def confine(largest, extra=()):
    """No network, no files but those it takes, no core files, none larger than so many bytes, none that others may read.

    :param extra: as for `restrict_files`
    """
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    attempt("no new privileges", lambda: prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    attempt("capabilities", drop_capabilities)
    attempt("files", lambda: restrict_files(extra))
    attempt("network", forbid_network)
