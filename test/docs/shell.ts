import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { type Block, blocks } from './pages.ts';
import { putSamples } from './samples.ts';

/** Runs the commands of pages, with the address and the token of the service of the tests. */

const ROOT = process.cwd();
const PROVIDED = new Set(['.git', '.platen', 'cdk.out', 'coverage', 'tmp']);

/** Blocks that cannot be run here, by the beginning of their text, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start      # installs':
    'starts another service, and these tests inside of themselves; test/local/serve.test.ts starts it',
  'npm start\n': 'the same',
  'PLATEN_GOTENBERG=1 ': 'the same; test/api/gotenberg.test.ts serves the routes',
  'docker run --rm --platform ': 'takes Docker',
  'kubectl create secret ': 'takes a cluster; test/container/kubernetes.test.ts reads the manifest',
  'npx cdk synth ': 'test/stacks synthesises; the other lines take an AWS account',
  'export PLATEN_TOKENS_TABLE=$(aws': 'takes an AWS account',
  'aws cloudformation describe-stacks ': 'takes an AWS account',
  'IMAGE=ACCOUNT.dkr.ecr': 'takes Docker and an AWS account',
  'queue=$(aws': 'takes an AWS account',
  'AT=2026': 'takes an AWS account',
  'aws lambda ': 'takes an AWS account',
  'aws dynamodb update-time-to-live ': 'takes an AWS account; npm run verify -- runbook runs it',
  'git checkout "$RELEASE"': 'takes an AWS account; test/stacks/bundle.test.ts reads a stack',
};

/** Why a block is not run; undefined where it is. */
export function reasonNotToRun(block: Block): string | undefined {
  return Object.entries(NOT_RUN).find(([beginning]) => block.text.startsWith(beginning))?.[1];
}

/** A folder as a checkout is, so that `npm run` and `platen` work in it, with the files of the examples. */
export async function checkout(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-docs-'));
  for (const name of readdirSync(ROOT))
    if (!PROVIDED.has(name)) symlinkSync(path.join(ROOT, name), path.join(folder, name));
  await putSamples(folder);
  // Without this option curl says nothing of an error: here it always does.
  mkdirSync(path.join(folder, 'tmp'));
  writeFileSync(
    path.join(folder, 'tmp/curl'),
    '#!/bin/sh\nexec /usr/bin/curl --fail-with-body --show-error "$@"\n',
    {
      mode: 0o755,
    },
  );
  const program = path.join(ROOT, 'bin/cli.mjs');
  writeFileSync(path.join(folder, 'tmp/platen'), `#!/bin/sh\nexec node ${program} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** The commands of a page as one script, which stops at the first that fails and names its block. */
export function script(page: string, token: string): string {
  const { url } = inject('service');
  const parts = blocks(page).map((block) => {
    const name = `BLOCK=${page}:${block.line}`;
    // "With `export ID`", says the page.
    if (block.language === 'python' && block.text.includes('os.environ'))
      return `${name}\nexport ID\n/usr/bin/python3 - << 'PYTHON'\n${block.text}PYTHON`;
    if (block.language === 'js' && block.tab !== null)
      return `${name}\nnode --input-type=module - << 'JAVASCRIPT'\n${block.text.replaceAll('http://localhost:8080', url)}JAVASCRIPT`;
    if (block.language !== 'sh' || reasonNotToRun(block) !== undefined) return '';
    const text = block.text
      .replace('export TOKEN=…', `export TOKEN='${token}'`)
      .replaceAll('http://localhost:8080', url);
    return `${name}\n${text}`;
  });
  return parts.join('\n');
}

export async function shell(commands: string, folder: string, token: string): Promise<string> {
  const { url, dataDir } = inject('service');
  const head = `set -euo pipefail\ntrap 'echo "failed in $BLOCK: $BASH_COMMAND" >&2' ERR\n`;
  const child = spawn('bash', ['-c', `${head}${commands}`], {
    cwd: folder,
    env: {
      PATH: `${path.join(folder, 'tmp')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      // Pages that build on the README have these from there.
      TOKEN: token,
      PLATEN: `${url}/v1`,
      PLATEN_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, faults] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`exit code ${String(code)}\n${faults}\n${output}`);
  return output;
}
