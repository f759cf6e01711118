import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pdfText } from './client.ts';

/** The C# SDK, unmodified, against the service ("Clients in the field"). */

const { url, token } = inject('service');
const directory = mkdtempSync(join(tmpdir(), 'platen-csharp-'));
const seen = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  const program = 'test/api/clients/csharp_client.py';
  const { stdout } = await promisify(execFile)('/usr/bin/python3', [program, `${url}/v1`, token, directory]);
  for (const line of stdout.trim().split('\n')) {
    const { step, ...rest } = JSON.parse(line) as { step: string };
    seen.set(step, rest);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

const step = (name: string) => seen.get(name) ?? {};
const document = (name: string) => readFileSync(join(directory, name));
const page = (name: string, number: number) => pdfText(document(name)).split('\f')[number - 1] ?? '';

it('completes every step, without a warning about its fields', () => {
  expect([...seen.keys()].at(-1)).toBe('done');
  for (const [name, { warning }] of seen) expect([name, warning ?? null]).toEqual([name, null]);
});

it('sends strings in UTF-16 without a byte order mark: template, header and stylesheet are read in that encoding', () => {
  expect([step('file')['same'], step('css')['type']]).toEqual([true, 'css']);
  expect(page('stored.pdf', 1)).toMatch(/Grüße Ada\s+一二 mit Stil/);
  expect(page('stored.pdf', 2)).toContain('two 1.5');
});

it('omits header and footer on page 1 by an option of the template, which a call may reset', () => {
  expect(step('template')['disable_header_footer_first_page']).toBe(true);
  expect(page('stored.pdf', 1)).not.toContain('Kopf');
  expect(page('stored.pdf', 2)).toContain('Kopf Ada');
  expect(page('header.pdf', 1)).toContain('Eigener Kopf');
  expect(page('header.pdf', 2)).toContain('Eigener Kopf');
});

it('sends NaN as a number, and CSV in UTF-16', () => {
  expect(document('now.html').toString()).toBe('<p>Jetzt: nan</p>');
  expect(step('batch')['texts']).toEqual(['<p>山田太郎: 1</p>', '<p>Bob: 2</p>']);
});

it('asks for an image with a form without fields', () => {
  expect(step('image')['type']).toBe('application/pdf');
});

it.each(['encrypt_password', 'password'])('encrypts with the password in options.%s', (name) => {
  const path = join(directory, `${name}.pdf`);
  const isEncrypted = (...options: string[]) => {
    try {
      return execFileSync('qpdf', ['--check', ...options, path], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return String((error as { stderr?: string }).stderr);
    }
  };
  expect(isEncrypted()).toContain('invalid password');
  expect(isEncrypted('--password=geheim')).toContain('R = 6');
});
