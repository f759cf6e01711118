"""Keeps one LibreOffice running and has it convert documents, one at a time.

Started by process.ts with: soffice.bin, a folder of its own, a name for the pipe, a limit in bytes for a file it
writes. Orders come in as lines of JSON on standard input, answers go out as lines of JSON on standard output. It ends,
and LibreOffice with it, when its parent does.
"""

import json
import os
import re
import subprocess
import sys
import time

import confine
from confine import MAKE_SOCK, READ, REMOVE_FILE

# LibreOffice makes the socket here, whatever TMPDIR says (sal/osl/unx/pipe.cxx).
SOCKETS = "/tmp"

EXECUTABLE, FOLDER, PIPE, LARGEST = sys.argv[1:]
confine.die_with_parent()
confine.confine(int(LARGEST), [("/proc", READ), (SOCKETS, MAKE_SOCK | REMOVE_FILE)])
confine.die_with_input()

# After that: the name of the socket depends on whether the list of users could be read, here as in LibreOffice.
import uno  # noqa: E402
from com.sun.star.beans import PropertyValue  # noqa: E402
from com.sun.star.connection import NoConnectException  # noqa: E402

# LibreOffice's working folder as it may see it: fields and formulas that show where a document lies show nothing else.
AS_SEEN = "/proc/self/cwd"

# How LibreOffice ends when it has set up a new profile.
WANTS_RESTART = 81



def answer(**fields):
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def start_office(executable, folder, pipe):
    return subprocess.Popen(
        [
            executable,
            "-env:UserInstallation=" + uno.systemPathToFileUrl(folder + "/profile"),
            # The machine's own is written to by whoever may, and LibreOffice aborts where it was made by another user.
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
        # A file that grows too large then fails to be written, and does not end the process (SIGXFSZ).
        restore_signals=False,
        preexec_fn=prepare_office,
    )


def prepare_office():
    """In LibreOffice's process, before it is LibreOffice: less than its host may, which looks for its sockets."""
    confine.die_with_parent()
    confine.attempt("files", lambda: confine.restrict_files([("/proc/self", READ), (SOCKETS, MAKE_SOCK)]))


def connect(executable, folder, pipe):
    """Starts LibreOffice. Returns its process and its desktop, as soon as it answers."""
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
                # It may make sockets, and remove none.
                remove(sockets)
                office = start_office(executable, folder, pipe)
            elif code is not None:
                raise RuntimeError("LibreOffice ended with %s" % code) from None
            time.sleep(0.01)


def sockets_of(pid):
    """Paths of the sockets that a process listens on; none when it has ended."""
    inodes = set()
    try:
        entries = os.listdir("/proc/%d/fd" % pid)
    except (FileNotFoundError, PermissionError):
        # The latter for one that has ended and of which nobody has taken note: it is root's.
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
        # Then the sockets stay: in Lambda nobody else is there who could connect.
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
    """Has tables of contents list what is in the document now, and where.

    Returns False if one has lost an entry whose text is still there: LibreOffice does not understand all that Word
    can make a table of contents from.
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
            # One that LibreOffice would add.
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
    """Returns the fields of the answer. `at` says how far a conversion came that failed: load or store."""
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
            # Each dot is a question to LibreOffice, or several.
            about = document.DocumentProperties
            if not about.Title.strip():
                about.Title = title
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
    office, desktop = connect(EXECUTABLE, FOLDER, PIPE)
    try:
        # Nobody else is to connect, and no crash leaves them.
        remove(sockets_of(office.pid))
        answer(ready=True, pid=office.pid, confinement=confine.state)
        for line in sys.stdin:
            answer(**convert(desktop, json.loads(line)))
    finally:
        # Nobody but its parent takes note of its end; else it stays behind as a zombie.
        office.kill()
        office.wait()


main()
