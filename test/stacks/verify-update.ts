import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { placeholders, stacksIn } from './placeholders.ts';
import { temporaryFolder } from './support.ts';

/** The changes that an update from an earlier revision makes, for verify-deploy.ts. */

const root = path.resolve(import.meta.dirname, '../..');
/** Sources that a synthesis with placeholders for code reads. */
const SOURCES = [
  'cdk.json',
  'functions',
  'layers',
  'lib',
  'package.json',
  'packages',
  'test/stacks',
  'test/support',
];
const STACKS = ['Storage', 'Api'] as const;

/** Resources with data, and those that make the address of the service: none of them may go. */
const KEPT =
  /^AWS::(DynamoDB::Table|S3::Bucket|SecretsManager::Secret|ApiGateway::(RestApi|Stage|DomainName)|CloudFront::Distribution) /;
/** How `cdk diff` marks a resource that is removed or replaced. */
const GOES = /^\[[-~]\] (.*) (?:destroy|orphan|replace|may be replaced)$/;

interface Earlier {
  /** Synthesises the stacks of that revision into a folder. */
  synthesise(outdir: string, switches: Readonly<Record<string, unknown>>): void;
  remove(): void;
}

/** The stacks of a revision of the repository, with the packages of today. */
export function inRevision(revision: string): Earlier {
  // Below the repository, where packages are found, and not below node_modules, where Node reads no TypeScript.
  mkdirSync(path.join(root, '.platen'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.platen', 'revision-'));
  const archive = execFileSync('git', ['archive', revision, ...SOURCES], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const links = path.join(folder, 'node_modules', '@platen');
  mkdirSync(links, { recursive: true });
  for (const name of readdirSync(path.join(folder, 'packages')))
    symlinkSync(path.join(folder, 'packages', name), path.join(links, name));
  const script = path.join(folder, 'synthesise.ts');
  writeFileSync(
    script,
    `import { placeholders, stacksIn } from './test/stacks/placeholders.ts';
     const [, , outdir, code, switches] = process.argv;
     stacksIn(outdir, JSON.parse(switches), placeholders(code)).app.synth();`,
  );
  return {
    synthesise: (outdir, switches) => {
      const args = [script, outdir, temporaryFolder(), JSON.stringify(switches)];
      execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Returns what `cdk diff` shows of the update of both stacks, one line for each resource, and the lines that must not
 * be there.
 */
export function changesBetween(
  earlier: Earlier,
  switches: Readonly<Record<string, unknown>>,
): { text: string; forbidden: string[] } {
  const [before, after] = [temporaryFolder(), temporaryFolder()];
  earlier.synthesise(before, switches);
  stacksIn(after, switches, placeholders(temporaryFolder())).app.synth();
  const lines = STACKS.flatMap((stack) => {
    const template = path.join(before, `${stack}.template.json`);
    const args = ['diff', stack, '--exclusively', '--app', after, '--template', template];
    // The CLI writes the differences to standard error.
    const shown = execFileSync(
      'sh',
      ['-c', 'exec "$0" "$@" 2>&1', path.join(root, 'node_modules/.bin/cdk'), ...args],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      },
    );
    return shown.split('\n').filter((line) => /^\[[-+~]\] (AWS|Custom)::/.test(line));
  });
  const forbidden = lines.filter((line) => KEPT.test(GOES.exec(line)?.[1] ?? ''));
  return { text: lines.length === 0 ? 'no changes' : lines.join('\n'), forbidden };
}
