"""The raw LibreOffice of the benchmarks: one that is kept running, and is driven over UNO from another process.

As unoserver and other programs do it: `loadComponentFromURL` hidden, `storeToURL`, and `close`. It gets the path of
soffice.bin, a folder for its profile and a name for its pipe, and finds converter.py by PYTHONPATH. Orders and answers
are lines of JSON on standard input and output.
"""

import json
import subprocess
import sys
import time

import uno
from com.sun.star.connection import NoConnectException
from converter import properties

# LibreOffice's exit code after it has set up a new profile.
WANTS_RESTART = 81


def connect(executable, folder, pipe):
    """Starts LibreOffice and waits until it answers. Returns its process and its desktop."""
    command = [executable, "-env:UserInstallation=" + uno.systemPathToFileUrl(folder + "/profile")]
    command += ["--headless", "--invisible", "--nologo", "--norestore", "--nodefault", "--nolockcheck"]
    command += ["--accept=pipe,name=" + pipe + ";urp;"]
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    office = subprocess.Popen(command, **silent)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    while True:
        try:
            context = resolver.resolve("uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext")
            return office, context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except NoConnectException:
            if office.poll() == WANTS_RESTART:
                office = subprocess.Popen(command, **silent)
            elif office.poll() is not None:
                raise
            time.sleep(0.05)


def main():
    office, desktop = connect(*sys.argv[1:])
    try:
        print(json.dumps({"pid": office.pid}), flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            url = uno.systemPathToFileUrl(order["input"])
            load = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": 0, "UpdateDocMode": 0, **order["load"]}
            document = desktop.loadComponentFromURL(url, "_blank", 0, properties(load))
            document.storeToURL(uno.systemPathToFileUrl(order["output"]), properties(order["store"]))
            document.close(True)
            print("{}", flush=True)
    finally:
        office.kill()
        office.wait()


main()
