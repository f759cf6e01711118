/**
 * Renders a corpus of documents with each level of PDF/A and PDF/UA over HTTP, and has veraPDF judge all of them; each of
 * the planted faults must be reported by its rule. Pixels and tags are those of the same document without a claim.
 * Run with `npm run verify:conformance`; names of kinds as arguments take those only.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../bin/service.ts';
import { consoleLogger } from '../../packages/aws-local/src/log.ts';
import { FAULTS, FRAMES, KINDS } from './corpus.ts';
import { pagePixels, structureText } from './look.ts';
import { judge } from './verapdf.ts';

const ARCHIVES = ['3a', '2a', '3u', '2u', '3b', '2b'];
const ADDED = /^\s*(?:LBody \(block\)|TD|Sect \(block\)|Div \(block\)|Figure \(block\))\n|^ +/gm;
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'platen-conformance-'));
const service = await startService({
  port: 0,
  dataDir: join(folder, 'data'),
  strict: true,
  throttle: false,
  stageInPath: true,
  env: { PLATEN_LOG_LEVEL: 'warn' },
  pauseFactor: 1,
  log: consoleLogger(process.stderr),
  synthesising: () => undefined,
});
let failed = 0;

function fail(name: string, why: string): void {
  failed++;
  console.log(`FAIL ${name}: ${why}`);
}

async function render(html: string, options: object): Promise<{ status: number; bytes: Buffer }> {
  const body = new FormData();
  body.append('file_data', new Blob([html]), 'template.html');
  body.append('render_data', '{}');
  body.append('render_options', JSON.stringify({ templating_engine: 'none', ...options }));
  const reply = await fetch(`${service.url}/v1/render/pdf`, {
    method: 'POST',
    headers: { authorization: service.token },
    body,
  });
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const files = new Map<string, string[]>();

/** Renders one document without a claim and with one. */
async function document(name: string, html: string, options: object, archive: string): Promise<void> {
  const conformance = [`pdf/a-${archive}`, 'pdf/ua-1'];
  const plain = await render(html, options);
  const claimed = await render(html, { ...options, conformance });
  if (plain.status !== 200 || claimed.status !== 200) {
    fail(name, `${claimed.status} ${claimed.bytes.toString('utf8', 0, 600)}`);
    return;
  }
  const path = join(folder, archive, `${name}.pdf`);
  mkdirSync(join(folder, archive), { recursive: true });
  writeFileSync(path, claimed.bytes);
  files.set(archive, [...(files.get(archive) ?? []), path]);
  if (pagePixels(plain.bytes).join() !== pagePixels(claimed.bytes).join()) fail(name, 'pixels have changed');
  // Items of lists and rows of tables have got what they lacked, and types of PDF 2.0 a meaning.
  const tags = (bytes: Buffer): string => structureText(bytes).replace(ADDED, '');
  if (tags(plain.bytes) !== tags(claimed.bytes)) fail(name, 'tags have changed');
}

try {
  let count = 0;
  for (const [kind, body] of Object.entries(KINDS)) {
    if (wanted.length > 0 && !wanted.includes(kind)) continue;
    for (const [frame, wrap] of Object.entries(FRAMES)) {
      const { html, options } = wrap(body);
      await document(`${kind}-${frame}`, html, options, ARCHIVES[count++ % ARCHIVES.length] ?? '3a');
    }
  }
  for (const [archive, paths] of files) {
    for (const flavour of [archive, 'ua1']) {
      for (const [name, rules] of await judge(flavour, paths)) fail(name, `${flavour}: ${rules.join('; ')}`);
    }
  }
  for (const [index, { html, rule, element }] of wanted.length > 0 ? [] : FAULTS.entries()) {
    const { status, bytes } = await render(html, { conformance: ['pdf/a-3a', 'pdf/ua-1'] });
    const { errors = [] } = JSON.parse(bytes.toString('utf8').replace(/^%PDF[\s\S]*/, '{}')) as {
      errors?: { rule: string; element: string | null }[];
    };
    const found = errors.some(
      (error) => error.rule === rule && (element === undefined || error.element === element),
    );
    if (status !== 422 || !found)
      fail(`fault ${index}`, `${rule} ${element}: ${status} ${JSON.stringify(errors)}`);
  }
  console.log(
    `${count} documents, ${wanted.length > 0 ? 0 : FAULTS.length} planted faults, ${failed} failures`,
  );
} finally {
  await service.stop(0);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
