import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fontOf } from '../support/fonts.ts';
import { type Tables, tablesOf, ttfOf, woff2Of } from '../support/hostile-fonts.ts';
import { otherTenantsDocument, otherTenantsToken } from '../support/other-tenant.ts';
import { Random } from '../support/random.ts';
import { serveInProcess } from '../support/served.ts';

/**
 * Adds damaged fonts and prints with each of them, by both engines: each is refused, or the document is printed or
 * refused, and after each ten of them a page in a font that is whole, and the document of another tenant, come out as
 * ever. Files that did harm are kept.
 *
 *   npm run fuzz -- fonts [number of fonts] [seed]
 */

const wanted = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 1);
const random = new Random(seed);
const failures = mkdtempSync(join(tmpdir(), 'platen-fonts-failures-'));
const service = await serveInProcess([], { PLATEN_LOG_LEVEL: 'silent' });
const counts = new Map<string, number>();
const faults: string[] = [];

interface Sent {
  status: number;
  bytes: Buffer;
}

async function send(path: string, fields: Record<string, string | Buffer>): Promise<Sent> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    body.append(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]));
  const answer = await fetch(service.url + path, {
    method: path.startsWith('/v1/fonts') ? 'PUT' : 'POST',
    headers: { authorization: service.token },
    body,
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** A font of which some bytes of one to three tables, or their lengths, are others. */
function damaged(family: string): Buffer {
  const tables: Tables = tablesOf(family);
  const tags = [...tables.keys()].filter((tag) => tag !== 'name');
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const tag = random.pick(tags);
    const table = Buffer.from(tables.get(tag) ?? Buffer.alloc(0));
    for (let bytes = 1 + random.below(32); bytes > 0 && table.length > 0; bytes -= 1)
      table[random.below(table.length)] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)]);
    tables.set(tag, random.once(8) ? table.subarray(0, random.below(table.length + 1)) : table);
  }
  const file = random.once(2) ? ttfOf(tables) : woff2Of(tables);
  return random.once(12) ? file.subarray(0, random.below(file.length)) : file;
}

async function print(family: string, text: string, engine: string): Promise<Sent> {
  const render_options = JSON.stringify({ rendering_engine: engine, display_header_footer: false });
  const html = `<p style="font-family: ${family}">${text} <b>bold</b> <i>italic</i></p>`;
  return await send('/v1/render/pdf', { file_data: Buffer.from(html), render_data: '{}', render_options });
}

const other = await otherTenantsToken(service.dataDirectory);
const otherBefore = await otherTenantsDocument(service.url, other);

const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
await send('/v1/fonts/whole', { file_data: fontOf('Zzzzzzz') });
for (let index = 0; index < wanted; index += 1) {
  const family = `F${String(index).padStart(6, '0')}`;
  const file = damaged(family);
  const keep = (why: string): void => {
    writeFileSync(join(failures, `${family}.font`), file);
    faults.push(`${family}: ${why}`);
  };
  const added = await send('/v1/fonts/damaged', { file_data: file });
  count(`added ${added.status}`);
  if (added.status !== 200 && added.status !== 422) keep(`added ${added.status} ${added.bytes.toString()}`);
  for (const engine of added.status === 200 ? ['chrome', 'webkit'] : []) {
    const { status, bytes } = await print(family, 'Some Text with ﬁ and Ä', engine);
    count(`${engine} ${status}`);
    if (status >= 500) keep(`${engine} ${status} ${bytes.toString('utf8', 0, 300)}`);
  }
  if (index % 10 !== 9) continue;
  const otherNow = await otherTenantsDocument(service.url, other);
  if (otherNow !== otherBefore) keep(`the document of another tenant: ${otherNow}`);
  for (const engine of ['chrome', 'webkit']) {
    const { status, bytes } = await print('Zzzzzzz', 'the next one', engine);
    const text =
      status === 200 ? execFileSync('pdftotext', ['-', '-'], { input: bytes, encoding: 'utf8' }) : '';
    if (!text.includes('the next one')) keep(`the next one by ${engine}: ${status}`);
  }
}
await service.stop();
console.log(`seed ${seed}:`, Object.fromEntries(counts));
if (faults.length > 0) console.log(`${faults.join('\n')}\nkept in ${failures}`);
process.exitCode = faults.length === 0 ? 0 : 1;
