"""Becomes a program that is confined: for one that is started for each document.

Arguments: bytes of address space, bytes of the largest file it may write, seconds of CPU, the program, its arguments.
It ends with its parent, or where the kernel lets no process do that, as in Lambda, when it has had its CPU.
"""

import os
import resource
import signal
import sys

from confine import confine, die_with_parent

# As a shell says that it did not find a program, or may not run it.
NOT_FOUND = 127
NOT_EXECUTABLE = 126
# The kernel confines nothing, and must.
NOT_CONFINED = 125


def main():
    memory, largest, seconds, program, *arguments = sys.argv[1:]
    try:
        die_with_parent()
        confine(int(largest))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        sys.exit(NOT_CONFINED)
    # Python ignores these two, and what it becomes would.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    if sys.platform == "linux":
        # Elsewhere it is not known.
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        os.execvp(program, [program, *arguments])
    except PermissionError:
        os._exit(NOT_EXECUTABLE)
    except OSError:
        os._exit(NOT_FOUND)


main()
