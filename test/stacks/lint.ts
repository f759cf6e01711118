/**
 * Puts cfn-lint and checkov on the templates of every deployment of switches.ts. Both have to be on the PATH: `pip
 * install -r test/stacks/requirements.txt`. Nothing leaves the machine.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { TEMPLATE_FILE, writeOneClick } from '../../lib/one-click/index.ts';
import { placeholders, stacksIn } from './placeholders.ts';
import { DEPLOYMENTS } from './switches.ts';

const REGIONS = ['us-east-1', 'eu-central-1', 'cn-north-1', 'us-gov-west-1'];
/** Deployments of what those partitions do not have. */
const NOT_EVERYWHERE = /CloudFront|Studio|all that fits|managed instances/;

/** Rules of cfn-lint that are not followed, and why. Errors are never among them. */
const CFN_LINT: Readonly<Record<string, string>> = {
  W3005: 'The CDK adds dependencies that references imply already.',
  W3010: 'platen:zones names the zones that the operator wants.',
};

/** Checks of checkov that are not followed, and why. */
const CHECKOV: Readonly<Record<string, string>> = {
  CKV_AWS_18:
    'Only functions reach the objects and log each request; CloudTrail data events are the second record.',
  CKV_AWS_21: 'platen:versionDays=0 asks for a bucket without versions.',
  CKV_AWS_27: 'It does not see SqsManagedSseEnabled, with which both queues are encrypted.',
  CKV_AWS_68: 'The rules of a web ACL are the operator’s: platen:webAclArn.',
  CKV_AWS_73: 'platen:tracePercent=0 asks for no traces.',
  CKV_AWS_86: 'The access log of the API has a line for each request.',
  CKV_AWS_111:
    'Network interfaces that Lambda attaches, and X-Ray, have no names; code of functions is denied the former.',
  CKV_AWS_115:
    'A reserve is taken from all other functions, and small accounts cannot give one: platen:…Concurrency.',
  CKV_AWS_116:
    'Functions are called and answered; what is queued has dead letters; the sweep runs again in hours.',
  CKV_AWS_117: 'Those that work on strangers’ documents can be (platen:isolated), and the converters are.',
  CKV_AWS_119: 'Encrypted with AWS’s key; platen:kmsKeyArn is for one’s own.',
  CKV_AWS_120: 'Answers belong to who asked, and a cache excludes streaming.',
  CKV_AWS_149: 'Encrypted with AWS’s key; platen:kmsKeyArn is for one’s own.',
  CKV_AWS_158: 'Encrypted by CloudWatch; platen:kmsKeyArn is for one’s own key.',
  CKV_AWS_173: 'Variables hold names, no secrets.',
  CKV_AWS_174: 'CloudFront’s own name comes with its own policy.',
};

const run = promisify(execFile);

interface Checked {
  results: {
    failed_checks: { check_id: string; check_name: string; resource: string; file_abs_path: string }[];
  };
}

/** The output of a linter that ends with an error where it finds something. */
async function outputOf(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(command, [...args], { maxBuffer: 2 ** 28 })).stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (code === 'ENOENT')
      throw new Error(`${command} is not there: pip install -r test/stacks/requirements.txt`, {
        cause: error,
      });
    // Checkov says by 1 that it has found something, cfn-lint by a sum of 2, 4 and 8.
    if (typeof code === 'number' && stdout !== undefined && stdout !== '') return stdout;
    throw error;
  }
}

/** What a linter found, with the file it was found in. */
interface Found {
  file: string;
  id: string;
  text: string;
}

async function cfnLint(files: readonly string[], regions: readonly string[]): Promise<Found[]> {
  const text = await outputOf('cfn-lint', [
    '--format',
    'json',
    '--regions',
    ...regions,
    '--template',
    ...files,
  ]);
  const found = JSON.parse(text) as { Filename: string; Rule: { Id: string }; Message: string }[];
  return found.map(({ Filename, Rule, Message }) => ({ file: Filename, id: Rule.Id, text: Message }));
}

async function checkov(files: readonly string[]): Promise<Found[]> {
  const text = await outputOf('checkov', [
    '--framework=cloudformation',
    '--output=json',
    '--quiet',
    '--compact',
    '--skip-download',
    ...files.flatMap((file) => ['--file', file]),
  ]);
  const parsed = JSON.parse(text) as Checked | Checked[];
  return [parsed]
    .flat()
    .flatMap(({ results }) => results.failed_checks)
    .map((check) => ({
      file: check.file_abs_path,
      id: check.check_id,
      text: `${check.check_name}: ${check.resource}`,
    }));
}

const root = mkdtempSync(path.join(tmpdir(), 'platen-lint-'));
const found: Found[] = [];
try {
  const deployments = Object.entries(DEPLOYMENTS).map(([name, switches], index) => {
    const outdir = path.join(root, String(index));
    stacksIn(outdir, switches, placeholders(path.join(root, `${index}-code`))).app.synth();
    return { name, files: ['Storage', 'Api'].map((stack) => path.join(outdir, `${stack}.template.json`)) };
  });
  const assembly = path.join(root, 'one-click');
  stacksIn(assembly, { convert: false }, placeholders(path.join(root, 'one-click-code'))).app.synth();
  await writeOneClick(assembly, 'https://example.org/release', path.join(root, 'release'));
  deployments.push({ name: 'the template of a release', files: [path.join(root, 'release', TEMPLATE_FILE)] });
  const filesOf = (which: (name: string) => boolean): string[] =>
    deployments.filter(({ name }) => which(name)).flatMap(({ files }) => files);
  found.push(
    ...(await cfnLint(
      filesOf((name) => !NOT_EVERYWHERE.test(name)),
      REGIONS,
    )),
    ...(await cfnLint(
      filesOf((name) => NOT_EVERYWHERE.test(name)),
      REGIONS.slice(0, 2),
    )),
    ...(await checkov(filesOf(() => true))),
  );
  for (const { name, files } of deployments) {
    const here = found.filter(({ file }) => files.includes(file));
    const faults = here.filter(({ id }) => !isReasoned(id));
    console.log(`${name}: ${here.length} findings, ${faults.length} without a reason`);
    for (const { id, text } of faults) console.log(`  ${id} ${text}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
const needless = [...Object.keys(CFN_LINT), ...Object.keys(CHECKOV)].filter((id) =>
  found.every((finding) => finding.id !== id),
);
for (const id of needless) console.log(`${id} has a reason and is not found any more.`);
process.exitCode = needless.length === 0 && found.every(({ id }) => isReasoned(id)) ? 0 : 1;

function isReasoned(id: string): boolean {
  return id in CFN_LINT || id in CHECKOV;
}
