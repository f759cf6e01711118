"""Starts a LibreOffice and has it convert documents, one at a time.

process.ts starts it with four arguments: the path of soffice.bin, a folder of its own, a name for the pipe, and the
limit in bytes of a file that it writes. It writes a line of JSON when LibreOffice takes orders. From then on
converter.py, within LibreOffice, reads orders from this program's standard input and writes the answers to its
standard output. It ends with its parent, and LibreOffice ends with it.
"""

import json
import os
import shutil
import subprocess
import sys
import time

import confine
from confine import MAKE_SOCK, READ, REMOVE_FILE

# LibreOffice creates its socket here and ignores TMPDIR (sal/osl/unx/pipe.cxx).
SOCKETS = "/tmp"

EXECUTABLE, FOLDER, PIPE, LARGEST = sys.argv[1:]
# LibreOffice cannot read the files of the function, so it gets a copy in its folder.
HERE = os.path.dirname(os.path.abspath(__file__))
CONVERTER = os.path.join(FOLDER, "converter.py")
for module in ("converter.py", "columns.py", "contents.py", "pages.py", "sheets.py", "slides.py", "values.py"):
    shutil.copyfile(os.path.join(HERE, module), os.path.join(FOLDER, module))
confine.die_with_parent()
confine.confine(int(LARGEST), [("/proc", READ), (SOCKETS, MAKE_SOCK | REMOVE_FILE)])
confine.die_with_input()

# Imported after confinement, as the socket's name depends on whether the list of users can be read.
import uno  # noqa: E402
from com.sun.star.beans import NamedValue  # noqa: E402
from com.sun.star.connection import NoConnectException  # noqa: E402

# Of LibreOffice, for the orders and the answers. Its own standard input and output lead nowhere, as libraries may print.
ORDERS = os.dup(0)
ANSWERS = os.dup(1)

# LibreOffice's exit code after it has set up a new profile.
WANTS_RESTART = 81


def start_office(executable, folder, pipe):
    return subprocess.Popen(
        [
            executable,
            "-env:UserInstallation=" + uno.systemPathToFileUrl(folder + "/profile"),
            # Any user can write to the machine's cache, and LibreOffice aborts if another user created it.
            "-env:UNO_SHARED_PACKAGES_CACHE=" + uno.systemPathToFileUrl(folder + "/packages"),
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
        pass_fds=(ORDERS, ANSWERS),
        # With SIGXFSZ ignored, writing a file that is too large fails and does not end the process.
        restore_signals=False,
        preexec_fn=prepare_office,
    )


def prepare_office():
    """Restricts the process that executes LibreOffice further than the host, which searches for its sockets."""
    confine.die_with_parent()
    confine.attempt("files", lambda: confine.restrict_files([("/proc/self", READ), (SOCKETS, MAKE_SOCK)]))


def connect(executable, folder, pipe):
    """Starts LibreOffice and waits until it answers. Returns its process and its component context."""
    office = start_office(executable, folder, pipe)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    address = "uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext"
    sockets = set()
    while True:
        sockets |= sockets_of(office.pid)
        try:
            return office, resolver.resolve(address)
        except NoConnectException:
            code = office.poll()
            if code == WANTS_RESTART:
                # LibreOffice may create sockets but not remove them.
                remove(sockets)
                office = start_office(executable, folder, pipe)
            elif code is not None:
                raise RuntimeError("LibreOffice ended with %s" % code) from None
            time.sleep(0.01)


def sockets_of(pid):
    """Returns the paths of the sockets that a process listens on; an empty set if it has ended."""
    inodes = set()
    try:
        entries = os.listdir("/proc/%d/fd" % pid)
    except (FileNotFoundError, PermissionError):
        # PermissionError: the process has ended and was not reaped, so its folder belongs to root.
        return set()
    for entry in entries:
        try:
            target = os.readlink("/proc/%d/fd/%s" % (pid, entry))
        except (FileNotFoundError, PermissionError):
            continue
        if target.startswith("socket:["):
            inodes.add(target[len("socket:[") : -1])
    try:
        with open("/proc/net/unix") as table:
            rows = [line.split() for line in table]
    except OSError as error:
        # The sockets stay then. This happens in Lambda, where no other process could connect to them.
        confine.state["table of sockets"] = str(error)
        return set()
    return {row[7] for row in rows if len(row) == 8 and row[6] in inodes and row[7].startswith("/")}


def remove(files):
    for file in files:
        try:
            os.unlink(file)
        except FileNotFoundError:
            pass


def converter(context):
    """Returns the converter of converter.py, an object within LibreOffice."""
    loader = context.ServiceManager.createInstanceWithContext("com.sun.star.loader.Python", context)
    factory = loader.activate("platen.Converter", "", uno.systemPathToFileUrl(CONVERTER), None)
    return factory.createInstanceWithContext(context)


def main():
    office, context = connect(EXECUTABLE, FOLDER, PIPE)
    try:
        # The sockets are removed so that no other process can connect, and a crash leaves none behind.
        remove(sockets_of(office.pid))
        converts = converter(context)
        print(json.dumps({"ready": True, "pid": office.pid, "confinement": confine.state}), flush=True)
        converts.execute((NamedValue("orders", ORDERS), NamedValue("answers", ANSWERS)))
    finally:
        # Only its parent can reap LibreOffice; without this it stays as a zombie.
        office.kill()
        office.wait()


main()
