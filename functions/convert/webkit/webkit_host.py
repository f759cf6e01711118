"""Keeps one WebKit running and has it print documents, one at a time.

process.ts starts it with the limit in bytes of a file that it writes, in a working folder of its own. It reads orders
as lines of JSON from standard input and writes answers as lines of JSON to standard output.

There are two processes. This one ends all others together and reaps them, so that none stays as a zombie. The other
one, in a process group of its own, drives WebKit (webkit_printer.py).
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
    """Starts a display, which GTK needs to print: Broadway, to which no browser can connect here."""
    # GTK's side listens on an abstract socket (unix(7)). Its name must be short and unique.
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
    # Libraries may print to standard output; their messages go to standard error and not among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    start_display()
    spec, code = printer
    module = importlib.util.module_from_spec(spec)
    exec(code, module.__dict__)
    module.run(answers)


def read_printer():
    """Reads the program before confinement forbids that; it is executed when there is a display."""
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
    # WebKit's processes read each other's entries in /proc.
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
