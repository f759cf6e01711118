/**
 * Renders a corpus of documents with each level of PDF/A and PDF/UA over HTTP, and has veraPDF judge all of them; each of
 * the planted faults must be reported by its rule. Pixels and tags are those of the same document without a claim.
 *
 *   node test/conformance/verify.ts [part of a name]… [--keep=folder]
 *
 * Only documents with such a name are made where there are any, and kept in a folder where one is named.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { documentOf, startClient } from './client.ts';
import { FAULTS } from './corpus.ts';
import { pagePixels, tagsOf, textOf } from './look.ts';
import { fileSources, htmlSources, imageSources, officeSources, type Source } from './sources.ts';
import { judge } from './verapdf.ts';

const ARCHIVES = ['3a', '2a', '3u', '2u', '3b', '2b'];
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'platen-conformance-'));
const kept = values.keep ?? join(folder, 'files');
const client = await startClient(join(folder, 'data'));
let failed = 0;

function fail(name: string, why: string): void {
  failed++;
  console.log(`FAIL ${name}: ${why}`);
}

/** Files by the level of PDF/A and of PDF/UA that they claim. */
const files = new Map<string, string[]>();

/** Renders one document without a claim and with one. */
async function document({ name, isTagged, pixelsBy, render }: Source, archive: string): Promise<void> {
  const levels = isTagged ? [archive, 'ua1'] : [archive];
  const conformance = [`pdf/a-${archive}`, ...(isTagged ? ['pdf/ua-1'] : [])];
  try {
    const path = join(kept, archive, `${name}.pdf`);
    mkdirSync(join(kept, archive), { recursive: true });
    const plain = documentOf(await render(null));
    if (values.keep !== undefined) writeFileSync(path.replace(/pdf$/, 'plain.pdf'), plain);
    const claimed = documentOf(await render({ conformance }));
    writeFileSync(path, claimed);
    for (const level of levels) files.set(level, [...(files.get(level) ?? []), path]);
    const shown = [plain, claimed].map((pdf) => pagePixels(pdf, pixelsBy).join());
    if (shown[0] !== shown[1]) fail(name, 'pixels have changed');
    if (textOf(plain) !== textOf(claimed)) fail(name, 'the text has changed');
    const tags = [plain, claimed].map((pdf) => tagsOf(pdf).join());
    if (isTagged && tags[0] === '') fail(name, 'there are no tags');
    if (tags[0] !== tags[1]) fail(name, `tags have changed: ${tags.join(' to ')}`);
  } catch (error) {
    fail(name, error instanceof Error ? error.message : String(error));
  }
}

/** Has each planted fault reported by its rule. */
async function plantedFaults(): Promise<void> {
  for (const [index, { html, rule, element }] of FAULTS.entries()) {
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
  }
}

try {
  const parts = { html: htmlSources, office: officeSources, images: imageSources, files: fileSources };
  let count = 0;
  for (const [part, make] of Object.entries(parts)) {
    const sources = (await make(client)).filter(
      ({ name }) => wanted.length === 0 || wanted.some((some) => name.includes(some)),
    );
    for (const source of sources) {
      const archives = source.archives ?? ARCHIVES;
      await document(source, archives[count++ % archives.length] ?? '3a');
    }
    console.log(`${part}: ${sources.length} documents`);
  }
  for (const [level, paths] of files) {
    for (const [name, rules] of await judge(level, paths)) fail(name, `${level}: ${rules.join('; ')}`);
  }
  if (wanted.length === 0) await plantedFaults();
  console.log(
    `${count} documents, ${wanted.length > 0 ? 0 : FAULTS.length} planted faults, ${failed} failures`,
  );
} finally {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
