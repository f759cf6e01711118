import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type CodeLanguage, codeFor } from '../../packages/studio/src/editor/as-code.ts';
import { addTemplate, pdfText } from './client.ts';

/** What the Studio shows as code does what it says, as it is copied. */

const { url, token } = inject('service');
const folder = mkdtempSync(path.join(tmpdir(), 'platen-as-code-'));
const at = (name: string): string => path.join(folder, name);
/** What shells, Python and JavaScript would each make something else of. */
const NAME = `O'Neil $(id) \`id\` "quoted" \\n 50% é`;
let id: string;

beforeAll(async () => {
  id = await addTemplate('<p>Dear {{ name }}: {{ filler | length }}</p>');
  mkdirSync(at('node_modules/@platen'), { recursive: true });
  symlinkSync(path.resolve('packages/client'), at('node_modules/@platen/client'));
  mkdirSync(at('bin'));
  writeFileSync(
    at('bin/platen'),
    `#!/bin/sh\nexec ${process.execPath} ${path.resolve('bin/cli.mjs')} "$@"\n`,
  );
  chmodSync(at('bin/platen'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

const RUN: Readonly<Record<CodeLanguage, (code: string) => [program: string, ...args: string[]]>> = {
  curl: (code) => ['sh', '-c', code],
  shell: (code) => ['sh', '-c', code],
  python: (code) => ['/usr/bin/python3', '-c', code],
  typescript: (code) => {
    writeFileSync(at('document.mts'), code);
    return [process.execPath, 'document.mts'];
  },
};

it.each([
  ['curl', 3],
  ['shell', 3],
  ['python', 3],
  ['typescript', 3],
  // Long data are named as a file.
  ['python', 4_000],
  ['typescript', 4_000],
] as const)('%s, with %i characters of data, makes the document', (language, length) => {
  const data = JSON.stringify({ name: NAME, filler: 'x'.repeat(length) });
  rmSync(at('document.pdf'), { force: true });
  writeFileSync(at('data.json'), data);
  const [program, ...args] = RUN[language](codeFor(language, { base: `${url}/v1`, id, data }));
  execFileSync(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: `${at('bin')}:${process.env['PATH']}`, PLATEN_TOKEN: token },
    stdio: 'pipe',
  });
  expect(pdfText(readFileSync(at('document.pdf')))).toContain(`Dear ${NAME}: ${length}`);
});
