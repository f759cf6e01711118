import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { failedRules } from '../conformance/verapdf.ts';
import type { Step } from './gherkin.ts';
import type { World } from './world.ts';

/** What the steps check of documents. Each function throws if a document is different. */

const run = promisify(execFile);

/** Returns the output of a program, also if it fails. */
async function output(command: string, args: readonly string[]): Promise<string> {
  return await run(command, args, { maxBuffer: 1 << 28 }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
  );
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Checks each PDF of the last document. */
async function each(world: World, test: (path: string) => Promise<void>): Promise<void> {
  const paths = world.pdfs();
  check(paths.length > 0, 'there are no PDFs');
  for (const path of paths) await test(path);
}

type Parts = readonly string[];

export async function conforming(world: World, [level = '', tolerance]: Parts): Promise<void> {
  const flavour = level.startsWith('PDF/UA') ? level.replace('PDF/UA-', 'ua') : level.replace('PDF/A-', '');
  await each(world, async (path) => {
    const failed = await failedRules(flavour, path);
    check(failed <= Number(tolerance), `${failed} rules of ${level} fail in ${path}`);
  });
}

export async function flattened(world: World): Promise<void> {
  await each(world, async (path) => {
    const objects = await output('qpdf', ['--json', '--json-key=qpdf', path]);
    check(!/"\/Annots": \[\s*[^\]\s]/.test(objects), `${path} has annotations`);
  });
}

export async function encrypted(world: World, [should]: Parts): Promise<void> {
  await each(world, async (path) => {
    const isLocked = (await output('pdfinfo', [path])).includes('Incorrect password');
    check(
      isLocked === (should === 'should'),
      `${path} opens ${isLocked ? 'only with' : 'without'} a password`,
    );
  });
}

/** The names of permissions in the output of pdfinfo. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  printing: 'print',
  copying: 'copy',
  modifying: 'change',
  annotating: 'addNotes',
};

export async function allowing(world: World, [should, action = '']: Parts): Promise<void> {
  await each(world, async (path) => {
    const expected = `${PERMISSIONS[action]}:${should === 'should' ? 'yes' : 'no'}`;
    check((await output('pdfinfo', [path])).includes(expected), `${path} does not have ${expected}`);
  });
}

export async function embedding(world: World, [should, name = '', relationship]: Parts): Promise<void> {
  await each(world, async (path) => {
    const listed = await output('qpdf', ['--list-attachments', path]);
    const isThere = listed.split('\n').some((line) => line.startsWith(`${name} -> `));
    check(isThere === (should === 'should'), `${path} has ${listed}`);
    if (relationship === undefined) return;
    const objects = await output('qpdf', ['--json', '--json-key=qpdf', path]);
    const has = objects
      .split('"/AFRelationship"')
      .slice(1)
      .some((rest) => rest.startsWith(`: "/${relationship}"`) && rest.split('}', 3).join().includes(name));
    check(has, `${path} has no ${name} with the relationship ${relationship}`);
  });
}

export async function invoice(world: World, [level = '']: Parts): Promise<void> {
  await each(world, async (path) => {
    const xmp = await output('pdfinfo', ['-meta', path]);
    check(xmp.includes('urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'), `${path} is no invoice`);
    check(xmp.includes('pdfaExtension:schemas'), `${path} has no extension schema`);
    const [, actual = 'none'] = /<fx:ConformanceLevel>([^<]*)</.exec(xmp) ?? [];
    check(actual === level, `${path} has the level ${actual}`);
  });
}

async function property(world: World, name: string, pattern: RegExp): Promise<readonly string[]> {
  return pattern.exec(await output('pdfinfo', [world.path(name)]))?.slice(1) ?? [];
}

export async function pages(world: World, [name = '', expected]: Parts): Promise<void> {
  const [actual] = await property(world, name, /^Pages: *(\d+)$/m);
  check(actual === expected, `${name} has ${actual} pages, not ${expected}`);
}

export async function images(world: World, [name = '', expected]: Parts): Promise<void> {
  const lines = (await output('pdfimages', ['-list', world.path(name)])).trim().split('\n').length - 2;
  check(Math.max(lines, 0) === Number(expected), `${name} has ${lines} images, not ${expected}`);
}

export async function landscape(world: World, [name = '', should]: Parts): Promise<void> {
  const [width = 0, height = 0] = (await property(world, name, /^Page size: *([\d.]+) x ([\d.]+)/m)).map(
    Number,
  );
  const holds = should === 'should' ? width >= height : height >= width;
  check(holds, `${name} has the size ${width} × ${height}`);
}

export async function outlined(world: World, [name = '', should]: Parts): Promise<void> {
  const outline = JSON.parse(await output('qpdf', ['--json', '--json-key=outlines', world.path(name)])) as {
    outlines: unknown[];
  };
  check(
    outline.outlines.length > 0 === (should === 'should'),
    `${name} has ${outline.outlines.length} entries`,
  );
}

export async function content(
  world: World,
  [name = '', should, pattern, page = '']: Parts,
  { document = '' }: Step,
): Promise<void> {
  const text = await output('pdftotext', ['-f', page, '-l', page, world.path(name), '-']);
  const isThere = pattern === undefined ? text.includes(document) : new RegExp(pattern).test(text);
  check(
    isThere === (should === 'should'),
    `page ${page} of ${name} is ${JSON.stringify(text.slice(0, 300))}`,
  );
}

export async function imageSize(world: World, [name = '', width, height]: Parts): Promise<void> {
  const actual = await sharp(world.path(name)).metadata();
  check(
    `${actual.width}x${actual.height}` === `${width}x${height}`,
    `${name} has the size ${actual.width}x${actual.height}`,
  );
}

export async function pixel(world: World, [name = '', x, y, expected = '']: Parts): Promise<void> {
  const area = { left: Number(x), top: Number(y), width: 1, height: 1 };
  const bytes = await sharp(world.path(name)).extract(area).removeAlpha().raw().toBuffer();
  const actual = `#${bytes.toString('hex')}`;
  check(actual === expected.toLowerCase(), `${name} has ${actual} there`);
}
