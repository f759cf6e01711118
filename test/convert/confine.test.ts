import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confinementVariable } from '../../functions/convert/confinement.ts';
import { PYTHON } from '../../functions/convert/host-process.ts';
import { CONFINED } from '../support/confined.ts';

/** What is left to a program that has confined itself, with the rights that WebKit has, which has most. */

const CONVERT = fileURLToPath(new URL('../../functions/convert', import.meta.url));
/** Each a statement; what it answers is the name of the error, or nothing. */
const PROBE = `
import json, os, socket, subprocess, sys
from confine import READ, confine, settings
confine(10**6, [("/proc", READ)])
outside, own, parent = sys.argv[1:]
def connect():
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).connect(("127.0.0.1", 9))
def run():
    with open(own + "/program", "w") as file:
        file.write("#!/bin/sh")
    os.chmod(own + "/program", 0o700)
    subprocess.run([own + "/program"], check=True)
def grow():
    with open(own + "/large", "w") as file:
        file.write("x" * (10**6 + 1))
probes = {
    "reads its own folder": lambda: open(own + "/in").read(),
    "reads the system": lambda: os.listdir("/usr/share"),
    "reads a folder besides": lambda: open(outside + "/secret").read(),
    "lists the folder of all": lambda: os.listdir(os.path.dirname(outside)),
    "writes besides": lambda: open(outside + "/written", "w"),
    "removes besides": lambda: os.remove(outside + "/secret"),
    "reads the code of the function": lambda: open("${CONVERT}/confine.py").read(),
    "reads the list of users": lambda: open("/etc/passwd").read(),
    "reads homes": lambda: os.listdir("/root" if os.getuid() == 0 else os.path.expanduser("~")),
    "reads the environment of the function": lambda: open("/proc/%s/environ" % parent).read(),
    "reads the memory of the function": lambda: open("/proc/%s/mem" % parent).read(1),
    "reads through the function's root": lambda: os.listdir("/proc/%s/root" % parent),
    "signals the function": lambda: os.kill(int(parent), 0),
    "reaches the network": connect,
    "runs what it has written": run,
    "writes more than it may": grow,
}
outcome = {"settings": os.environ.get("PLATEN_BOUNDS")}
for name, probe in probes.items():
    try:
        probe()
        outcome[name] = "done"
    except OSError as error:
        outcome[name] = type(error).__name__
print(json.dumps(outcome))
`;

let outside: string;
let own: string;
beforeAll(() => {
  outside = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  own = mkdtempSync(path.join(tmpdir(), 'platen-own-'));
  writeFileSync(path.join(outside, 'secret'), 'secret');
  writeFileSync(path.join(own, 'in'), 'in');
});
afterAll(() => {
  for (const folder of [outside, own]) rmSync(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')(
  'a confined program has access to the files that it needs, and to no others',
  async () => {
    const command = ['-B', '-c', PROBE, outside, own, String(process.pid)];
    const { stdout } = await promisify(execFile)(PYTHON, command, {
      cwd: own,
      env: { PATH: '/usr/bin:/bin', HOME: own, PYTHONPATH: CONVERT, ...confinementVariable(CONFINED, own) },
    });
    expect(JSON.parse(stdout)).toEqual({
      settings: null,
      'reads its own folder': 'done',
      'reads the system': 'done',
      'reads a folder besides': 'PermissionError',
      'lists the folder of all': 'PermissionError',
      'writes besides': 'PermissionError',
      'removes besides': 'PermissionError',
      'reads the code of the function': 'PermissionError',
      'reads the list of users': 'PermissionError',
      'reads homes': 'PermissionError',
      'reads the environment of the function': 'PermissionError',
      'reads the memory of the function': 'PermissionError',
      "reads through the function's root": 'PermissionError',
      'signals the function': 'PermissionError',
      'reaches the network': 'PermissionError',
      'runs what it has written': 'PermissionError',
      'writes more than it may': 'OSError',
    });
  },
);
