"""Confines itself and executes a program, for programs that are started for each document.

Arguments: bytes of address space, bytes of the largest file it may write, seconds of CPU, the program, its arguments.
The program ends with its parent, or, if the kernel does not support that, as in Lambda, at the limit of CPU time.
"""

import os
import resource
import signal
import sys

from confine import confine, die_with_parent

# The exit codes of a shell for a program that does not exist or cannot be executed.
NOT_FOUND = 127
NOT_EXECUTABLE = 126
# The kernel refuses a restriction that is required.
NOT_CONFINED = 125


def main():
    memory, largest, seconds, program, *arguments = sys.argv[1:]
    try:
        die_with_parent()
        confine(int(largest))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        sys.exit(NOT_CONFINED)
    # Python ignores these signals, and the executed program would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    if sys.platform == "linux":
        # Other systems do not have this limit.
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        os.execvp(program, [program, *arguments])
    except PermissionError:
        os._exit(NOT_EXECUTABLE)
    except OSError:
        os._exit(NOT_FOUND)


main()
