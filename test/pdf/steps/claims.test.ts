import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { conform, type ConformanceLevel } from '../../../packages/pdf/src/conformance/index.ts';
import { Engine } from '../../../packages/pdf/src/files/engine.ts';
import { encryptPdf } from '../../../packages/pdf/src/index.ts';
import { mergePdfs } from '../../../packages/pdf/src/operations/merge.ts';
import { splitMany } from '../../../packages/pdf/src/operations/split-task.ts';
import type { PdfNote } from '../../../packages/pdf/src/notes.ts';
import { compileQpdf } from '../../../packages/pdf/src/files/qpdf.ts';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { expectSound, rawPdf, rawStream, run, symbolPage, textPages } from '../fixtures.ts';
import { process } from './chain.ts';

/** What is claimed to be PDF/A or PDF/UA is so after each step, or claims it no more, and that is said (I-46). */

const binary = await compileQpdf();
const directory = mkdtempSync(join(tmpdir(), 'platen-test-claims-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const engine = new Engine(binary, directory);
writeFileSync(at('note.txt'), 'a note');
const plain = textPages(at('plain.pdf'), ['Helvetica is not embedded']);

/** A document that draws a square, and acts when it is opened. */
function square(name: string, catalog = '', ...more: string[]): string {
  return rawPdf(at(name), [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    rawStream('', '0.5 g 10 10 30 30 re f'),
    '<< /S /JavaScript /JS (app.beep\\(\\)) >>',
    ...more,
  ]);
}

/** The same, which claims a level of PDF/A. */
async function claiming(level: ConformanceLevel): Promise<string> {
  const { pdf } = await conform(readFileSync(square('square.pdf')), { levels: [level], title: 'Square' });
  const path = at(`${level.replace('/', '-')}.pdf`);
  writeFileSync(path, pdf);
  return path;
}

/** The level of PDF/A in the packet that poppler finds in a document, such as `2B`. */
function claimed(path: string, ...options: string[]): string | null {
  const packet = run('pdfinfo', '-meta', ...options, path);
  const [, part = '', level = ''] = /<pdfaid:part>(\d)<.*<pdfaid:conformance>(\w)</s.exec(packet) ?? [];
  return part === '' ? null : part + level;
}

const [archive2, archive3] = [await claiming('pdf/a-2b'), await claiming('pdf/a-3b')];

async function stepped(
  input: string,
  ...steps: Step[]
): Promise<{ claims: string | null; notes: unknown[] }> {
  const output = at('stepped.pdf');
  const { notes } = await process({ inputs: [{ path: input }], output, steps });
  if (steps.some(({ name }) => name === 'encrypt')) return { claims: claimed(output, '-upw', 'pw'), notes };
  expectSound(output);
  return { claims: claimed(output), notes };
}

it('keeps its claim if it still holds', async () => {
  const same = { claims: '2B', notes: [] };
  const stamped: Step = { name: 'stamp', options: { text: 'Œuvre Ж', color: '#c00000', opacity: 0.5 } };
  expect(await stepped(archive2, { name: 'rotate', options: { angle: 90 } }, stamped)).toEqual(same);
  expect(await stepped(archive2, { name: 'pages', options: { pages: '1,1' } })).toEqual(same);
  const { claims, notes } = await stepped(plain, stamped);
  expect([claims, notes]).toEqual([null, []]);
});

it('becomes PDF/A-3 if files are attached (ISO 19005-2, 6.8)', async () => {
  const attach: Step = {
    name: 'attach',
    options: { files: [{ file: at('note.txt'), name: 'note.txt', mime: 'text/plain' }] },
  };
  const note = { claimed: ['pdf/a-2b'], now: ['pdf/a-3b'] };
  expect(await stepped(archive2, attach)).toMatchObject({ claims: '3B', notes: [note] });
  expect(run('pdfdetach', '-list', at('stepped.pdf'))).toContain('note.txt');
  expect(await stepped(archive3, attach)).toEqual({ claims: '3B', notes: [] });
});

it('becomes PDF/A-2 if it was PDF/A-1, which has no object streams (ISO 19005-1, 6.1.4)', async () => {
  const older = at('older.pdf');
  const text = readFileSync(archive2).toString('latin1').replace('pdfaid:part>2<', 'pdfaid:part>1<');
  writeFileSync(older, text, 'latin1');
  expect(claimed(older)).toBe('1B');
  const note = { claimed: ['pdf/a-1b'], now: ['pdf/a-2b'] };
  const turned = await stepped(older, { name: 'rotate', options: { angle: 90 } });
  expect(turned).toMatchObject({ claims: '2B', notes: [note] });
});

it('removes a claim that no longer holds, and changes nothing else', async () => {
  const letterhead: Step = { name: 'letterhead', options: { pdf: symbolPage(at('symbols.pdf')) } };
  const { claims, notes } = await stepped(archive2, letterhead);
  expect(claims).toBeNull();
  expect(notes).toMatchObject([{ claimed: ['pdf/a-2b'], now: [] }]);
  expect(JSON.stringify(notes)).toContain('6.2.11.4.1');
  expect(run('pdfinfo', at('stepped.pdf'))).toMatch(/Title: +Square/);
  // What would have been repaired for the claim stays where there is none.
  const packet = /<x:xmpmeta[^]*<\/x:xmpmeta>/.exec(readFileSync(archive2, 'utf8'))?.[0] ?? '';
  const metadata = rawStream('/Type /Metadata /Subtype /XML', packet);
  const falsely = square('falsely.pdf', '/Metadata 6 0 R', metadata);
  expect(claimed(falsely)).toBe('2B');
  expect(await stepped(falsely, letterhead)).toMatchObject({ claims: null, notes: [{ now: [] }] });
  expect(run('qpdf', '--qdf', '--object-streams=disable', at('stepped.pdf'), '-')).toContain('app.beep');
});

it('stays PDF/A if its colours are CMYK and those of the stamp RGB (ISO 19005-2, 6.2.4.3)', async () => {
  const intent =
    '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (press) /DestOutputProfile 6 0 R >>]';
  const path = square('press.pdf', intent, rawStream('/N 4', 'profile'));
  const { pdf } = await conform(readFileSync(path), { levels: ['pdf/a-2b'], title: 'Press' });
  writeFileSync(at('cmyk.pdf'), pdf);
  const stamp = (color: string): Step => ({ name: 'stamp', options: { text: 'seen', size: 60, color } });
  const same = { claims: '2B', notes: [] };
  const spaces = (): string => run('qpdf', '--qdf', '--object-streams=disable', at('stepped.pdf'), '-');
  expect(await stepped(at('cmyk.pdf'), stamp('#000000'))).toEqual(same);
  expect(spaces()).not.toContain('/DefaultRGB');
  expect(await stepped(at('cmyk.pdf'), stamp('#c00000'))).toEqual(same);
  expect(spaces()).toMatch(/\/DefaultRGB \[\s*\/ICCBased/);
  // Neither adds it where the document is of RGB.
  expect(await stepped(archive2, stamp('#c00000'))).toEqual(same);
  expect(spaces()).not.toContain('/DefaultRGB');
});

it('claims no PDF/A once it is encrypted (ISO 19005-2, 6.1.3)', async () => {
  const note = { claimed: ['pdf/a-2b'], now: [], reason: 'PDF/A forbids encryption' };
  const encrypted = await stepped(archive2, { name: 'encrypt', options: { password: 'pw' } });
  expect(encrypted).toEqual({ claims: null, notes: [note] });
  const output = at('encrypted.pdf');
  expect(await encryptPdf(archive2, output, { password: 'pw' })).toEqual([note]);
  expect(claimed(output, '-upw', 'pw')).toBeNull();
});

it('claims the common level of all joined files', async () => {
  const joined = async (...paths: string[]): Promise<[string | null, PdfNote[]]> => {
    const output = at('joined.pdf');
    const inputs = paths.map((path) => ({ path }));
    const notes = await mergePdfs(inputs, output);
    expectSound(output);
    return [claimed(output), notes];
  };
  expect(await joined(archive2, archive2)).toEqual(['2B', []]);
  expect(await joined(archive2, archive3)).toMatchObject(['3B', [{ now: ['pdf/a-3b'] }]]);
  const nothing = [null, [{ claimed: ['pdf/a-2b'], now: [], reason: expect.stringContaining('merged') }]];
  expect(await joined(archive2, plain)).toEqual(nothing);
  expect(await joined(plain, archive2)).toEqual(nothing);
  expect(await joined(plain, plain)).toEqual([null, []]);
  const both = [{ path: archive2 }, { path: plain }];
  const { notes } = await process({ inputs: both, output: at('chain.pdf'), steps: [] });
  expect([claimed(at('chain.pdf')), notes]).toEqual(nothing);
});

it('gives notes identifiers of their own where documents are joined (ISO 14289-1, 7.9)', async () => {
  const note = rawPdf(at('note.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) /MarkInfo << /Marked true >> /StructTreeRoot 5 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /StructParents 0 >>',
    rawStream('', '/Note <</MCID 0>> BDC 0.5 g 10 10 30 30 re f EMC'),
    '<< /Type /StructTreeRoot /K 6 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>',
    '<< /Type /StructElem /S /Document /P 5 0 R /K 7 0 R >>',
    '<< /Type /StructElem /S /Note /P 6 0 R /ID (own) /Pg 3 0 R /K 0 >>',
  ]);
  const { pdf } = await conform(readFileSync(note), { levels: ['pdf/ua-1'], title: 'Note' });
  writeFileSync(at('accessible.pdf'), pdf);
  const inputs = [{ path: at('accessible.pdf') }, { path: at('accessible.pdf') }];
  expect(await mergePdfs(inputs, at('joined.pdf'))).toEqual([]);
  const source = run('qpdf', '--qdf', '--object-streams=disable', at('joined.pdf'), '-');
  expect(Array.from(source.matchAll(/\/ID \(([^)]*)\)/g), ([, id]) => id)).toEqual(['own', 'platen-note-2']);
});

it('claims the same in each part of a document', async () => {
  const output = at('part.pdf');
  const task = { input: { path: archive2 }, groups: [[1]], outputs: [output], single: true };
  expect(await splitMany(engine, task)).toEqual([]);
  expect(claimed(output)).toBe('2B');
});
