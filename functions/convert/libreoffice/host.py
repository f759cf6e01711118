"""Keeps one LibreOffice running and has it convert documents, one at a time.

process.ts starts it with four arguments: the path of soffice.bin, a folder of its own, a name for the pipe, and the
limit in bytes of a file that it writes. It reads orders as lines of JSON from standard input and writes answers as
lines of JSON to standard output. It ends with its parent, and LibreOffice ends with it.
"""

import json
import os
import re
import subprocess
import sys
import time

import confine
from confine import MAKE_SOCK, READ, REMOVE_FILE

# LibreOffice creates its socket here and ignores TMPDIR (sal/osl/unx/pipe.cxx).
SOCKETS = "/tmp"

EXECUTABLE, FOLDER, PIPE, LARGEST = sys.argv[1:]
confine.die_with_parent()
confine.confine(int(LARGEST), [("/proc", READ), (SOCKETS, MAKE_SOCK | REMOVE_FILE)])
confine.die_with_input()

# Imported after confinement, as the socket's name depends on whether the list of users can be read.
import uno  # noqa: E402
from com.sun.star.beans import PropertyValue  # noqa: E402
from com.sun.star.connection import NoConnectException  # noqa: E402

# LibreOffice's working folder by a path without its name: fields and formulas that show a document's folder show this.
AS_SEEN = "/proc/self/cwd"

# LibreOffice's exit code after it has set up a new profile.
WANTS_RESTART = 81



def answer(**fields):
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


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
        # With SIGXFSZ ignored, writing a file that is too large fails and does not end the process.
        restore_signals=False,
        preexec_fn=prepare_office,
    )


def prepare_office():
    """Restricts the process that executes LibreOffice further than the host, which searches for its sockets."""
    confine.die_with_parent()
    confine.attempt("files", lambda: confine.restrict_files([("/proc/self", READ), (SOCKETS, MAKE_SOCK)]))


def connect(executable, folder, pipe):
    """Starts LibreOffice and waits until it answers. Returns its process and its desktop."""
    office = start_office(executable, folder, pipe)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    address = "uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext"
    sockets = set()
    while True:
        sockets |= sockets_of(office.pid)
        try:
            context = resolver.resolve(address)
            return office, context.ServiceManager.createInstanceWithContext(
                "com.sun.star.frame.Desktop", context
            )
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


def properties(values):
    return tuple(PropertyValue(name, 0, prepared(value), 0) for name, value in values.items())


def prepared(value):
    if isinstance(value, dict):
        return uno.Any("[]com.sun.star.beans.PropertyValue", properties(value))
    return value


def letters(text):
    return re.sub(r"[\W\d_]+", "", text).casefold()


def update_contents(document):
    """Updates the entries and page numbers of tables of contents.

    Returns False if one has lost an entry whose text is still there: LibreOffice does not support everything from which
    Word can make a table of contents.
    """
    if not document.supportsService("com.sun.star.text.TextDocument"):
        return True
    indexes = document.DocumentIndexes
    for i in range(indexes.Count):
        index = indexes.getByIndex(i)
        if not index.supportsService("com.sun.star.text.ContentIndex"):
            continue
        before = {letters(line) for line in index.Anchor.String.splitlines()}
        if letters(index.Title) not in before:
            # Without this, LibreOffice would add a title of its own.
            index.Title = ""
        index.update()
        lost = before - {letters(line) for line in index.Anchor.String.splitlines()} - {""}
        if lost:
            text = letters(document.Text.String)
            if any(line in text for line in lost):
                return False
    return True


def load(desktop, order):
    # 0 and 0: no macros (MacroExecMode.NEVER_EXECUTE), no update of links (UpdateDocMode.NO_UPDATE).
    values = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": 0, "UpdateDocMode": 0, **order["load"]}
    url = uno.systemPathToFileUrl(os.path.join(AS_SEEN, os.path.relpath(order["input"], FOLDER)))
    return desktop.loadComponentFromURL(url, "_blank", 0, properties(values))


def convert(desktop, order):
    """Returns the fields of the answer. `at` is the step at which a conversion failed: load or store."""
    document = None
    at = "load"
    try:
        document = load(desktop, order)
        if document is None:
            return {"ok": False, "at": at, "message": "nothing was loaded"}
        if not update_contents(document):
            document.close(True)
            document = None
            document = load(desktop, order)
        at = "store"
        title = order.get("title")
        if title:
            # Each attribute access is at least one call to LibreOffice.
            about = document.DocumentProperties
            if not about.Title.strip():
                about.Title = title
        document.storeToURL(uno.systemPathToFileUrl(order["output"]), properties(order["store"]))
        return {"ok": True}
    except Exception as error:
        # This call fails if LibreOffice has ended, so that the host ends too: exceptions do not tell that reliably.
        desktop.getCurrentComponent()
        return {"ok": False, "at": at, "message": "%s: %s" % (type(error).__name__, error)}
    finally:
        if document is not None:
            document.close(True)


def main():
    office, desktop = connect(EXECUTABLE, FOLDER, PIPE)
    try:
        # The sockets are removed so that no other process can connect, and a crash leaves none behind.
        remove(sockets_of(office.pid))
        answer(ready=True, pid=office.pid, confinement=confine.state)
        for line in sys.stdin:
            answer(**convert(desktop, json.loads(line)))
    finally:
        # Only its parent can reap LibreOffice; without this it stays as a zombie.
        office.kill()
        office.wait()


main()
