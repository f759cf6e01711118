import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nameOf } from '@platen/client/document';
import {
  baseName,
  fileName,
  safeName,
  sameFileKey,
  nameFault,
  pathFault,
  quoted,
} from '@platen/core/file-name';
import { describe, expect, it } from 'vitest';
import { clientNameFault } from '../../bin/client-types.ts';

/** Names of files that clients may write: one rule, held by the service and by every client. */

const ROOT = path.join(import.meta.dirname, '../..');
const { refused, accepted, received } = JSON.parse(
  readFileSync(path.join(ROOT, 'test/support/file-names.json'), 'utf8'),
) as { refused: [string, string][]; accepted: string[]; received: [string, string][] };

describe('the rule', () => {
  it.each(refused)('refuses %j, which %s', (name, reason) => {
    expect(nameFault(name)).toBe(reason);
    // A slash divides a path.
    if (name !== 'a/b') expect(pathFault(`letters/${name}`)).not.toBeNull();
  });

  it.each(accepted)('accepts %j', (name) => {
    expect(nameFault(name)).toBeNull();
    expect(pathFault(`letters/${name}/a`)).toBeNull();
  });

  it('names the segment of a path that is at fault, without characters that change how a line is shown', () => {
    expect(pathFault('letters/.git/config')).toBe('the segment ".git" begins with a dot');
    expect(pathFault('C:/x')).toBe('the segment "C:" contains :');
    expect(pathFault('/x')).toBe('a segment is empty');
    expect(pathFault('a/x\u001b[2J')).toBe('the segment "x<U+001B>[2J" contains U+001B');
    expect(quoted('y'.repeat(200))).toBe(`"${'y'.repeat(100)}…"`);
  });

  it('is the same in the client in TypeScript, as `npm run docs` copies it', () => {
    expect(readFileSync(path.join(ROOT, 'packages/client/src/name-fault.ts'), 'utf8')).toBe(
      clientNameFault(),
    );
  });

  it('is the same in the client in Python, and so are the names that it gives to downloads', () => {
    const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("names", "clients/python/src/platen/_names.py")
names = importlib.util.module_from_spec(spec)
spec.loader.exec_module(names)
given = json.load(sys.stdin)
print(json.dumps([[names.name_fault(n) for n in given["names"]], [names.received_name(h) for h in given["headers"]]]))
`;
    const input = JSON.stringify({
      names: [...refused.map(([name]) => name), ...accepted],
      headers: received.map(([header]) => header),
    });
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program], {
      cwd: ROOT,
      input,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      [...refused.map(([, reason]) => reason), ...accepted.map(() => null)],
      received.map(([, name]) => name),
    ]);
  });
});

describe('names that are made', () => {
  it.each(received)('a download of %j is called %j', (header, name) => {
    expect(nameOf(new Headers({ 'content-disposition': header }))).toBe(name);
    expect(nameFault(name)).toBeNull();
  });

  it.each(refused)('a document, a folder or an entry named after %j keeps the rule', (name) => {
    for (const made of [baseName(name), fileName(name, 'pdf'), fileName(name, 'x'), safeName(name)])
      expect(nameFault(made), made).toBeNull();
  });

  it('an accepted name is not changed where it is that of a file', () => {
    for (const name of accepted) expect(safeName(name)).toBe(name);
  });

  it.each([
    ['A.html', 'a.HTML'],
    ['B\u00fcro', 'Bu\u0308ro'],
    ['stra\u00dfe', 'STRASSE'],
    ['a\u200cb', 'ab'],
  ])('%j and %j are one file on macOS or Windows', (one, other) => {
    expect(sameFileKey(one)).toBe(sameFileKey(other));
  });
});
