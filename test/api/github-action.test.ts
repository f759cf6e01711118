import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import * as YAML from 'yaml';
import { pdfText, zipEntries } from './client.ts';

/** integrations/github-action: the steps of the action in a shell, as a runner of GitHub has them. */

const { url, token } = inject('service');
const ACTION = path.resolve('integrations/github-action');

interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { id?: string; run?: string; env?: Record<string, string> }[] };
}

const action = YAML.parse(readFileSync(path.join(ACTION, 'action.yml'), 'utf8')) as Action;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-action-'));
  mkdirSync(path.join(folder, 'letters'));
  const files = {
    'letters/one.html': '<p>Dear {{ name }}</p>',
    'letters/one.json': '{"name": "Ada"}',
    'letters/many.html': '<p>Dear {{ name }}</p>',
    'letters/many.json': '[{"name": "Ada"}, {"name": "Grace"}]',
    'wrong.html': '<p>\n  {% for x in y %}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the action. @returns what it printed, its outputs, and its exit code */
async function run(
  given: Record<string, string>,
  cwd = folder,
): Promise<{ log: string; outputs: string; code: unknown }> {
  const inputs: Record<string, string> = { url, token, ...given };
  const value = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.(\w+) \}\}/g,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
    );
  const outputs = path.join(folder, 'outputs');
  writeFileSync(outputs, '');
  const [step] = action.runs.steps.filter(({ run: script }) => script !== undefined);
  const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, value(text)]));
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'false'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', GITHUB_ACTION_PATH: ACTION, GITHUB_OUTPUT: outputs, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { log, outputs: readFileSync(outputs, 'utf8'), code };
}

it('renders templates with the data beside them, one and many', async () => {
  const { log, outputs, code } = await run({ templates: 'letters/*.html', output: 'made' });
  expect([code, outputs]).toEqual([0, 'rendered=2\nfailed=0\n']);
  expect(log.trim().split('\n')).toHaveLength(2);
  expect(pdfText(readFileSync(path.join(folder, 'made/letters/one.pdf')))).toContain('Dear Ada');
  expect(zipEntries(readFileSync(path.join(folder, 'made/letters/many.zip')))).toHaveLength(2);
});

it('reports the line of an error in a template, and fails', async () => {
  const { log, outputs, code } = await run({ templates: '*.html\nletters/one.html', format: 'html' });
  expect([code, outputs]).toEqual([1, 'rendered=1\nfailed=1\n']);
  expect(log).toMatch(/^::error file=wrong\.html,line=2,col=\d+::template_syntax: /m);
});

it('writes no document through a link of the branch, above the folder, or under a name of a device', async () => {
  const at = path.join(folder, 'hostile');
  for (const name of ['away', 'a', 'one', 'elsewhere']) mkdirSync(path.join(at, name), { recursive: true });
  symlinkSync('../away', path.join(at, 'one/a'));
  symlinkSync('away', path.join(at, 'two'));
  for (const name of ['a/letter.html', 'con.html', 'elsewhere/letter.html'])
    writeFileSync(path.join(at, name), 'x');
  const outcomes = [
    ['a/letter.html', 'one', 'is a link'],
    ['a/letter.html', 'two', 'is a link'],
    ['con.html', 'made', 'is a device on Windows'],
    ['../hostile/elsewhere/letter.html', 'made', 'begins with a dot'],
  ] as const;
  for (const [templates, output, why] of outcomes) {
    const { log, code } = await run({ templates, output, format: 'html' }, at);
    expect([code, log], templates).toEqual([1, expect.stringContaining(why)]);
  }
  expect(readdirSync(path.join(at, 'away'))).toEqual([]);
});

it('fails where there is no template', async () => {
  const { log, code } = await run({ templates: 'nothing/*.html' });
  expect([code, log.trim()]).toEqual([1, '::error::There is no template nothing/*.html.']);
});

it('sets the outputs that it declares, for later steps', () => {
  expect(Object.values(action.outputs).map(({ value }) => value)).toEqual([
    '${{ steps.render.outputs.rendered }}',
    '${{ steps.render.outputs.failed }}',
  ]);
});
