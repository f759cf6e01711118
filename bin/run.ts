/**
 * Runs a script by the name that its group has for it: `npm run bench -- http --stages`. `--list` prints what each script
 * of a group does, and `--list http` all that one says of itself: both are the comment at the head of its file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const LINE = 118;

/** Files by group and name: measurements, comparisons with other programs, long runs, hostile and random input. */
export const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bench: {
    goals: 'bench/index.ts',
    bytes: 'bench/bytes.ts',
    chain: 'bench/pdf-chain.ts',
    cold: 'bench/cold.ts',
    combine: 'bench/combine.ts',
    'combine-job': 'bench/combine-job.ts',
    conformance: 'bench/conformance.ts',
    cost: 'bench/cost.ts',
    field: 'bench/field.ts',
    functions: 'bench/functions.ts',
    growth: 'test/jinja/growth/measure.ts',
    http: 'bench/http.ts',
    images: 'bench/images.ts',
    jinja: 'bench/jinja.ts',
    'job-assembly': 'bench/job-assembly.ts',
    memory: 'bench/memory.ts',
    merge: 'bench/pdf-merge.ts',
    office: 'bench/office.ts',
    pdf: 'bench/pdf.ts',
    'pdf-http': 'bench/pdf-http.ts',
    scale: 'bench/scale.ts',
    studio: 'bench/studio.ts',
    webkit: 'bench/webkit.ts',
  },
  verify: {
    books: 'test/print/verify-books.ts',
    clients: 'test/clients/verify.ts',
    collections: 'test/clients/verify-collections.ts',
    conformance: 'test/conformance/verify.ts',
    convert: 'test/convert/verify-image.ts',
    deploy: 'test/stacks/verify-deploy.ts',
    'factur-x': 'test/factur-x/verify.ts',
    fields: 'test/fill/verify-fields.ts',
    footnotes: 'test/print/verify-footnotes.ts',
    forms: 'test/pdf/verify-forms.ts',
    fresh: 'test/fresh/fresh.ts',
    gotenberg: 'test/gotenberg/verify.ts',
    image: 'test/container/verify.ts',
    kubernetes: 'test/container/verify-kubernetes.ts',
    locale: 'test/locale/verify.ts',
    n8n: 'test/clients/verify-n8n.ts',
    packages: 'test/packages/verify-packed.ts',
    redaction: 'test/pdf/steps/verify-redaction.ts',
    'redaction-scripts': 'test/pdf/steps/verify-redaction-scripts.ts',
    rich: 'test/office/verify-rich.ts',
    runbook: 'test/stacks/verify-runbook.ts',
    samples: 'test/print/verify-samples.ts',
    'sandbox-faults': 'test/lambda/verify-faults.ts',
    schemas: 'test/office/verify-schemas.ts',
    scripts: 'test/print/verify-scripts.ts',
    signed: 'test/conformance/verify-signed.ts',
    stacks: 'test/stacks/lint.ts',
    steps: 'test/pdf/steps/verify.ts',
    storage: 'test/local/verify-outside-storage.ts',
    text: 'test/pdf/verify-text.ts',
    wpt: 'test/print/verify-wpt.ts',
  },
  soak: {
    renderings: 'test/soak/soak.ts',
    faults: 'test/soak/faults.ts',
    jobs: 'test/soak/jobs.ts',
    office: 'test/soak/office.ts',
    scripts: 'test/soak/scripts.ts',
    studio: 'test/soak/studio.ts',
  },
  hostile: {
    pdf: 'bench/pdf-hostile.ts',
    sealing: 'bench/pdf-sealing.ts',
    'pdf-files': 'bench/pdf-robustness.ts',
    'office-files': 'bench/office-robustness.ts',
  },
  fuzz: {
    fonts: 'test/fuzz/fonts.ts',
    http: 'test/fuzz/http.ts',
    jinja: 'test/jinja/fuzz.ts',
  },
};

/** The script of a group that runs without a name. */
const DEFAULTS: Readonly<Record<string, string>> = { bench: 'goals', soak: 'renderings' };

/** @returns the paragraphs of the comment at the head of a script, which are all that says what it does */
export function descriptionOf(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  // Imports may come first.
  const start = source.startsWith('/**') ? 0 : source.indexOf('\n/**');
  if (start === -1) throw new Error(`${file} has no comment at its head that says what it does.`);
  const comment = source.slice(source.indexOf('/**', start) + 3, source.indexOf('*/', start));
  const text = comment.replaceAll(/^ \* ?/gm, '').trim();
  return text.split('\n\n').map((paragraph) =>
    // Indented lines are commands, and stay as they are.
    paragraph.startsWith('  ') ? paragraph : paragraph.replaceAll(/\s+/g, ' '),
  );
}

/** @returns the first sentence of a description */
export function summaryOf(file: string): string {
  const [first = ''] = descriptionOf(file);
  return /^.*?[.](?= [A-Z`]|$)/.exec(first)?.[0] ?? first;
}

function list(group: string, scripts: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(scripts).map((name) => name.length)) + 4;
  const lines = Object.entries(scripts).map(
    ([name, file]) => `  ${name.padEnd(width - 2)}${wrapped(summaryOf(file), width)}`,
  );
  return [`npm run ${group} -- NAME [arguments]   (--list NAME: more about a script)`, '', ...lines, ''].join(
    '\n',
  );
}

/** @returns a text in lines, the second and later ones indented */
function wrapped(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && indent + last.length + 1 + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** @returns the exit code */
function main([group = '', ...given]: readonly string[]): number {
  const scripts = SCRIPTS[group];
  if (scripts === undefined)
    throw new Error(`no such group: ${group}; known are ${Object.keys(SCRIPTS).join(', ')}`);
  const [first] = given;
  if (first === '--list') return printed(group, scripts, given[1]);
  const isNamed = first !== undefined && !first.startsWith('-');
  const name = isNamed ? first : DEFAULTS[group];
  const file = name === undefined ? undefined : scripts[name];
  if (file === undefined) {
    console.error(
      isNamed
        ? `no such script: ${first}; known are ${Object.keys(scripts).join(', ')}`
        : list(group, scripts),
    );
    return 2;
  }
  const { status, error } = spawnSync(
    process.execPath,
    [path.join(ROOT, file), ...given.slice(isNamed ? 1 : 0)],
    { stdio: 'inherit' },
  );
  if (error !== undefined) throw error;
  return status ?? 1;
}

function printed(group: string, scripts: Readonly<Record<string, string>>, name: string | undefined): number {
  const file = name === undefined ? undefined : scripts[name];
  console.log(
    file === undefined
      ? list(group, scripts)
      : descriptionOf(file)
          .map((part) => wrappedPart(part))
          .join('\n\n'),
  );
  return 0;
}

function wrappedPart(part: string): string {
  return part.startsWith('  ') ? part : wrapped(part, 0);
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
