/**
 * Renders a corpus of documents with each level of PDF/A and PDF/UA over HTTP, and has veraPDF judge all of them; each
 * of the planted faults must be reported by its rule. Pixels, words and tags are those of the same document without a
 * claim, but for tags that a claim completes, and places that differ by a rounding where it does.
 *
 *   npm run verify -- conformance [part of a name]… [--section=1/4] [--keep=folder]
 *
 * Only documents with such a name are made where there are any, of a section each of so many in turn, and they are
 * kept in a folder where one is named. The planted faults go with the first section.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { documentOf, startClient } from './client.ts';
import { COMPLETED, FAULTS } from './corpus.ts';
import { differing, movedBy, pixelsOf, tagsOf, wordsOf } from './look.ts';
import { fileSources, htmlSources, imageSources, officeSources, type Source } from './sources.ts';
import { judge } from './verapdf.ts';

const ARCHIVES = ['3a', '2a', '3u', '2u', '3b', '2b'];
/** Documents that are made and looked at side by side. */
const AT_ONCE = 3;
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, section: { type: 'string', default: '1/1' } },
});
const [section = 1, sections = 1] = values.section.split('/').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'platen-conformance-'));
const kept = values.keep ?? join(folder, 'files');
const client = await startClient(join(folder, 'data'));
let failed = 0;

function fail(name: string, why: string): void {
  failed++;
  console.log(`FAIL ${name}: ${why}`);
}

/** Does that for each, some at a time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

/** Returns whether a claim completes the tags of a document, which replaces generated text by elements. */
function isCompleted(name: string): boolean {
  return COMPLETED.some((kind) => name === kind || name.startsWith(`${kind}-`));
}

/** An element may stand up to two units of layout, of 1/64 pixel, beside the generated text that it replaces. */
const UNSEEN = { points: 0.024, pixels: 0.001 };

interface Made {
  name: string;
  isTagged: boolean;
  /** Of PDF/A and of PDF/UA. */
  levels: string[];
  plain: string;
  claimed: string;
}

/** Renders one document without a claim and with one. */
async function document(source: Source, archive: string): Promise<Made | null> {
  const { name, isTagged, pixelsBy, isDrawn = false, render } = source;
  const conformance = [`pdf/a-${archive}`, ...(isTagged ? ['pdf/ua-1'] : [])];
  const claimed = join(kept, archive, `${name}.pdf`);
  const plain = claimed.replace(/pdf$/, 'plain.pdf');
  mkdirSync(join(kept, archive), { recursive: true });
  try {
    writeFileSync(plain, documentOf(await render(null)));
    writeFileSync(claimed, documentOf(await render({ conformance })));
    if (isDrawn) return { name, isTagged, levels: [archive], plain, claimed };
    const [before, after] = [await pixelsOf(plain, pixelsBy), await pixelsOf(claimed, pixelsBy)];
    const least = isCompleted(name) ? UNSEEN : { points: 0, pixels: 0 };
    if (differing(before, after) > least.pixels) fail(name, 'pixels have changed');
    if (movedBy(await wordsOf(plain), await wordsOf(claimed)) > least.points)
      fail(name, 'the words have changed');
  } catch (error) {
    fail(name, error instanceof Error ? error.message : String(error));
    return null;
  }
  return { name, isTagged, levels: isTagged ? [archive, 'ua1'] : [archive], plain, claimed };
}

/** Compares the tags of documents with and without a claim. */
async function compareTags(made: readonly Made[]): Promise<void> {
  const all = await tagsOf(made.flatMap(({ plain, claimed }) => [plain, claimed]));
  for (const [index, { name, isTagged }] of made.entries()) {
    const [plain, claimed] = [String(all[2 * index]), String(all[2 * index + 1])];
    if (isTagged && plain === '') fail(name, 'there are no tags');
    if (plain !== claimed && !isCompleted(name)) fail(name, `tags have changed: ${plain} to ${claimed}`);
  }
}

/** Has each planted fault reported by its rule. */
async function plantedFaults(): Promise<void> {
  await each(Array.from(FAULTS.entries()), async ([index, { html, rule, element }]) => {
    const { status, bytes } = await client.send('POST', '/v1/render/pdf', {
      file_data: [html, 'template.html'],
      render_data: '{}',
      render_options: '{"templating_engine":"none","conformance":["pdf/a-3a","pdf/ua-1"]}',
    });
    const { errors = [] } = JSON.parse(bytes.toString('utf8').replace(/^%PDF[\s\S]*/, '{}')) as {
      errors?: { rule: string; element: string | null }[];
    };
    const found = errors.some(
      (error) => error.rule === rule && (element === undefined || error.element === element),
    );
    if (status !== 422 || !found)
      fail(`fault ${index}`, `${rule} ${element}: ${status} ${JSON.stringify(errors)}`);
  });
}

try {
  const parts = { html: htmlSources, office: officeSources, images: imageSources, files: fileSources };
  const made: Made[] = [];
  let count = 0;
  for (const [part, make] of Object.entries(parts)) {
    const sources = (await make(client))
      .map((source) => ({ source, at: count++ }))
      .filter(({ source: { name }, at }) => {
        const isWanted = wanted.length === 0 || wanted.some((some) => name.includes(some));
        return isWanted && at % sections === section - 1;
      });
    await each(sources, async ({ source, at }) => {
      const archives = source.archives ?? ARCHIVES;
      // Each section has all levels, too.
      const turn = Math.floor(at / sections) + at;
      const one = await document(source, archives[turn % archives.length] ?? '3a');
      if (one !== null) made.push(one);
    });
    console.log(`${part}: ${sources.length} documents`);
  }
  await compareTags(made);
  const levels = new Set(made.flatMap((one) => one.levels));
  for (const level of levels) {
    const paths = made.filter((one) => one.levels.includes(level)).map(({ claimed }) => claimed);
    for (const [name, rules] of await judge(level, paths)) fail(name, `${level}: ${rules.join('; ')}`);
  }
  const isWithFaults = wanted.length === 0 && section === 1;
  if (isWithFaults) await plantedFaults();
  console.log(
    `${made.length} documents, ${isWithFaults ? FAULTS.length : 0} planted faults, ${failed} failures`,
  );
} finally {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
