"""Keeps one WebKit running and has it print documents, one at a time.

Started by process.ts with: a limit in bytes for a file it writes. Its working folder is its own. Orders come in as lines
of JSON on standard input, answers go out as lines of JSON on standard output.

There are two processes. This one takes care that all of them end together, and that none stays behind as a zombie; the
other, in a process group of its own, drives WebKit (webkit_printer.py).
"""

import importlib.abc
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import traceback

from confine import READ, adopt_orphans, confine, die_with_input, die_with_parent

DISPLAY = ":0"


def start_display():
    """GTK wants a display to print from. Broadway's shows its windows in a browser, if one connected: none can."""
    # The socket of GTK's own side has a name and no file ("abstract", unix(7)): it must be short and nobody else's.
    name = "/%s-%d" % (os.path.basename(os.getcwd()), os.getpid())
    os.environ.update(XDG_RUNTIME_DIR=name, GDK_BACKEND="broadway", BROADWAY_DISPLAY=DISPLAY)
    daemon = subprocess.Popen(
        ["broadwayd", "--unixsocket", "display", DISPLAY],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=die_with_parent,
    )
    while not listens("\0%s/broadway1.socket" % name):
        if daemon.poll() is not None:
            raise RuntimeError("broadwayd ended with %s" % daemon.returncode)
        time.sleep(0.005)


def listens(address):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(address) == 0


def drive(printer):
    # What libraries print is no answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    start_display()
    spec, code = printer
    module = importlib.util.module_from_spec(spec)
    exec(code, module.__dict__)
    module.run(answers)


def read_printer():
    """The program is read while it can be, and runs, with all it imports, when there is a display."""
    spec = importlib.util.find_spec("webkit_printer")
    if spec is None or not isinstance(spec.loader, importlib.abc.InspectLoader):
        raise ImportError("There is no program webkit_printer.")
    return spec, spec.loader.get_code("webkit_printer")


def end_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    printer = read_printer()
    # Its processes look each other up.
    confine(int(sys.argv[1]), [("/proc", READ)])
    adopt_orphans()
    driver = os.fork()
    if driver == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            die_with_parent()
            die_with_input()
            drive(printer)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    signal.signal(signal.SIGTERM, lambda *_: end_group(driver))
    die_with_parent(signal.SIGTERM)
    while True:
        try:
            ended, _ = os.wait()
        except ChildProcessError:
            return
        if ended == driver:
            end_group(driver)


main()
