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

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

from confine import confine, die_with_parent

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
    url = uno.systemPathToFileUrl(order["input"])
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
    executable, folder, pipe, largest = sys.argv[1:]
    die_with_parent()
    confine(int(largest))
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
