import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { officeTemplateText } from '@platen/office';
import { GLOBAL_NAMES } from '@platen/jinja/syntax';
import { fieldsOf } from '@platen/templating/fields';
import { OFFICE_LIMITS } from '../../functions/templates/office-placeholders.ts';

/**
 * Compares the names of the data of templates that somebody else has written with those that Jinja2's own `meta` finds
 * (for docx: docxtpl's). Arguments are folders with such templates, such as checkouts of Flask-AppBuilder,
 * flask-admin, warehouse and python-docx-template. Thirty of these, the first by a hash of their names, were read and
 * counted by hand: what is found in those of them that are there has to be the same to the name
 * (`counted-by-hand.json`). Differences are listed with their reasons (`known-differences.json`). One that is not, one
 * that is another than is listed, and one that is listed and not there any more end it with 1.
 */

const ENDINGS = '{html,htm,j2,jinja,jinja2,docx}';

/** A template that was counted by hand: names of its data, and for some of them where values stand. */
const countedByHand = z.array(
  z.object({
    template: z.string(),
    sha256: z.string(),
    names: z.array(z.string()),
    paths: z.array(z.string()).optional(),
  }),
);

/** A template whose names differ on purpose, and how. */
const knownDifferences = z.array(
  z.object({ template: z.string(), sha256: z.string(), why: z.string(), difference: z.string() }),
);

type Found = { names: string[]; own?: string[] } | { fault: string };

/** Names that every template has. */
const GLOBALS = new Set([
  ...GLOBAL_NAMES,
  ...'dict range lipsum cycler joiner namespace gettext ngettext'.split(' '),
]);

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Which folders? See the beginning of this file.');
  process.exit(2);
}
const files = folders.flatMap((folder) => globSync(`${folder}/**/*.${ENDINGS}`)).sort();

function oracle(): Found[] {
  const script = path.join(import.meta.dirname, 'fields_oracle.py');
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [script], {
    input: files.map((file) => path.resolve(file)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Found);
}

async function ours(file: string): Promise<Found> {
  const bytes = readFileSync(file);
  try {
    const text = file.endsWith('.docx')
      ? await officeTemplateText(bytes, 'docx', 'jinja2', { limits: OFFICE_LIMITS })
      : bytes.toString();
    const { properties = {} } = fieldsOf([text], 'jinja2') as { properties?: object };
    return { names: Object.keys(properties).sort() };
  } catch (error) {
    return { fault: String(error) };
  }
}

/** Names that only one side has. Of those that a template sets itself, `meta` tells some, depending on where it reads them. */
function differing(mine: Found, other: Found): string | null {
  if ('fault' in mine || 'fault' in other)
    return 'fault' in mine && 'fault' in other
      ? null
      : `ours ${JSON.stringify(mine)}, theirs ${JSON.stringify(other)}`;
  const { own = [] } = other;
  const onlyOurs = mine.names.filter((name) => !other.names.includes(name));
  const onlyTheirs = other.names.filter((name) => ![...mine.names, ...own, ...GLOBALS].includes(name));
  if (onlyOurs.length + onlyTheirs.length === 0) return null;
  return `only ours: ${onlyOurs.join(', ')}; only theirs: ${onlyTheirs.join(', ')}`;
}

function listed(name: string): unknown {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, name), 'utf8'));
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

const known = new Map(
  knownDifferences.parse(listed('known-differences.json')).map((one) => [one.sha256, one]),
);
const count = { equal: 0, refused: 0, own: 0, known: 0, different: 0 };
const theirs = oracle();
for (const [index, file] of files.entries()) {
  const [mine, other] = [await ours(file), theirs[index] ?? { fault: 'no answer' }];
  const difference = differing(mine, other);
  const expected = known.get(hashOf(file));
  if (expected !== undefined && difference === expected.difference) count.known += 1;
  else if (expected !== undefined) {
    count.different += 1;
    console.log(`${file}\n  ${difference ?? 'no difference'}; listed is: ${expected.difference}`);
  } else if (difference !== null) {
    count.different += 1;
    console.log(`${file}\n  ${difference}`);
  } else if ('fault' in mine || 'fault' in other) count.refused += 1;
  else if (other.names.every((name) => mine.names.includes(name) || GLOBALS.has(name))) count.equal += 1;
  else count.own += 1;
}
console.log(
  `${files.length} templates: ${count.equal} equal, ${count.own} equal but for names that the template sets itself, ` +
    `${count.refused} refused by both, ${count.known} different as listed, ${count.different} different otherwise`,
);

/** Where the values stand that a schema of fields tells of. */
function pathsOf(schema: unknown, at = ''): string[] {
  const { properties } = z.object({ properties: z.record(z.string(), z.unknown()).optional() }).parse(schema);
  if (properties === undefined) return [at];
  return Object.entries(properties).flatMap(([name, one]) =>
    pathsOf(one, at === '' ? name : `${at}.${name}`),
  );
}

const byHash = new Map(files.map((file) => [hashOf(file), file]));
const byHand = { equal: 0, absent: 0, different: 0 };
for (const { template, sha256, names, paths } of countedByHand.parse(listed('counted-by-hand.json'))) {
  const file = byHash.get(sha256);
  const found = file === undefined ? null : await ours(file);
  const told = found && ('fault' in found ? found.fault : found.names.filter((name) => !GLOBALS.has(name)));
  const places =
    file === undefined || paths === undefined
      ? undefined
      : pathsOf(fieldsOf([readFileSync(file, 'utf8')], 'jinja2'))
          .filter((place) => paths.some((one) => place.split('.')[0] === one.split('.')[0]))
          .sort();
  if (told === null) byHand.absent += 1;
  else if (JSON.stringify([told, places]) === JSON.stringify([names, paths])) byHand.equal += 1;
  else {
    byHand.different += 1;
    console.log(
      `${template}\n  ours ${JSON.stringify([told, places])}, by hand ${JSON.stringify([names, paths])}`,
    );
  }
}
console.log(
  `Counted by hand: ${byHand.equal} equal, ${byHand.different} different, ${byHand.absent} not there`,
);
process.exitCode = count.different + byHand.different === 0 ? 0 : 1;
