import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { describePdf } from '../describe.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, textPages, workspace } from '../fixtures.ts';
import { richPdf } from '../rich.ts';
import { chain, process } from './chain.ts';
import { python } from '../../support/python.ts';

/** A chain of steps carried out on files (I-46). */

/** How far each page is turned, as poppler sees it. */
function rotations(path: string): number[] {
  return Array.from(run('pdfinfo', '-l', '99', path).matchAll(/rot: +(\d+)/g), ([, angle]) => Number(angle));
}

it('joins the files first, then selects, reorders and repeats pages, turns some, and keeps the rest', async () => {
  const at = workspace();
  const inputs = [richPdf(at('a.pdf'), 'alpha'), richPdf(at('b.pdf'), 'beta')];
  const output = await chain(inputs, at('out.pdf'), [
    { name: 'pages', options: { pages: '6,1-2,4-6,2' } },
    { name: 'rotate', options: { angle: 90, pages: '2' } },
    { name: 'rotate', options: { angle: 270, pages: '1-2' } },
    { name: 'metadata', options: { Title: 'Müller & 子', Author: null } },
  ]);
  expectSound(output);
  const found = describePdf(output);
  expect(found.pages.map(({ text }) => text.trim().split(/\s*\n/)[0])).toEqual(
    [
      'beta page 3',
      'alpha page 1',
      'alpha page 2',
      'beta page 1',
      'beta page 2',
      'beta page 3',
      'alpha page 2',
    ].map((text) => expect.stringContaining(text) as string),
  );
  expect(rotations(output)).toEqual([270, 0, 0, 0, 0, 0, 0]);
  expect(found).toMatchObject({ title: 'Müller & 子', orphanPages: 0 });
  expect(found.xmp).toContain('Müller &amp; 子');
  expect(found.attachments.map(({ content }) => content)).toEqual(['alpha note', 'beta note']);
  expect(found.tagged.flat().map(({ text }) => text)).toContain('alpha page 1');
  expect(Object.keys(found.layers)).toHaveLength(4);
  expect(found.outline.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['alpha entry 1', 'beta entry 1']),
  );
});

it('applies the steps before `merge` to each file', async () => {
  const at = workspace();
  const inputs = [richPdf(at('a.pdf'), 'alpha'), richPdf(at('b.pdf'), 'beta')];
  const output = await chain(inputs, at('out.pdf'), [
    { name: 'pages', options: { pages: '2' } },
    { name: 'merge', options: {} },
    { name: 'rotate', options: { angle: 180, pages: '2' } },
  ]);
  expect(pageTexts(output).map((text) => /\w+ page \d/.exec(text)?.[0])).toEqual([
    'alpha page 2',
    'beta page 2',
  ]);
  expect(rotations(output)).toEqual([0, 180]);
});

it('decrypts and encrypts, linearized, with an owner password', async () => {
  const at = workspace();
  const rich = richPdf(at('a.pdf'), 'alpha');
  run('qpdf', rich, '--encrypt', 'user', 'owner', '256', '--', at('locked.pdf'));
  const output = await chain([at('locked.pdf')], at('out.pdf'), [
    { name: 'decrypt', options: { password: 'user' } },
    { name: 'rotate', options: { angle: 90 } },
    { name: 'encrypt', options: { password: 'new', ownerPassword: 'boss', permissions: { copy: true } } },
    { name: 'linearize', options: {} },
  ]);
  expectSound(output, 'new');
  const shown = run('qpdf', '--show-encryption', '--password=boss', output);
  expect(shown).toMatch(/Supplied password is owner password/);
  expect(shown).toMatch(/extract for any purpose: allowed/);
  expect(shown).toMatch(/modify annotations: not allowed/);
  expect(run('qpdf', '--password=new', '--check-linearization', output)).toMatch(/no linearization errors/);
});

it('ends the data of every stream with the end of a line, as PDF/A wants it (ISO 19005-2, 6.1.7.1)', async () => {
  const at = workspace();
  const rich = richPdf(at('a.pdf'), 'alpha');
  for (const name of ['linearize', 'compress', 'decrypt', 'rotate'] as const) {
    const step = (name === 'rotate' ? { name, options: { angle: 90 } } : { name, options: {} }) as Step;
    const written = readFileSync(await chain([rich], at('out.pdf'), [step]), 'latin1');
    const ends = written.match(/[\s\S]endstream/g) ?? [];
    expect(ends.length, name).toBeGreaterThan(1);
    expect(new Set(ends), name).toEqual(new Set(['\nendstream']));
    expectSound(at('out.pdf'));
  }
});

it('keeps the protection of one file, unless a step or the caller removes it', async () => {
  const at = workspace();
  run('qpdf', richPdf(at('a.pdf'), 'alpha'), '--encrypt', 'user', 'owner', '256', '--', at('locked.pdf'));
  const task = { output: at('out.pdf'), inputs: [{ path: at('locked.pdf'), password: 'user' }] };
  const isProtected = (): boolean => run('pdfinfo', '-upw', 'user', at('out.pdf')).includes('AES-256');
  const turned = { name: 'rotate', options: { angle: 90 } } as const;
  const done = async (steps: Step[], rest = {}): Promise<[boolean, boolean]> => {
    const { lostProtection } = await process({ ...task, ...rest, steps });
    expectSound(at('out.pdf'), 'user');
    return [isProtected(), lostProtection];
  };
  const compressed: Step = { name: 'compress', options: { linearize: true } };
  const conformant: Step = { name: 'conform', options: { levels: [] } };
  const described: Step = { name: 'metadata', options: { Title: 'x' } };
  for (const kept of [[turned], [turned, compressed], [compressed], [described]])
    expect(await done(kept)).toEqual([true, false]);
  expect(await done([turned], { protection: 'drop' })).toEqual([false, true]);
  expect(await done([conformant])).toEqual([false, true]);
  expect(await done([], { inputs: [...task.inputs, ...task.inputs] })).toEqual([false, true]);
  expect(await done([{ name: 'decrypt', options: {} }, turned])).toEqual([false, false]);
});

it('leaves signed files alone unless breaking the signatures is allowed', async () => {
  const at = workspace();
  const signed = rawPdf(at('signed.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [5 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    rawStream('', 'q Q'),
    '<< /FT /Sig /T (s) /Kids [6 0 R] >>',
    '<< /Parent 5 0 R /T (one) /V << /Type /Sig /Filter /Adobe.PPKLite /Contents <00> /ByteRange [0 1 2 3] >> >>',
  ]);
  const task = { inputs: [{ path: signed }], output: at('out.pdf') };
  const steps = [{ name: 'rotate', options: { angle: 90 } }] as const;
  await expect(process({ ...task, steps, breakSignatures: false })).rejects.toMatchObject({
    code: 'pdf_signed',
  });
  await process({ ...task, steps, breakSignatures: true });
  expect(run('pdfinfo', at('out.pdf'))).toMatch(/Page rot: +90/);
  // What claims PDF/A has no signature that is over another file (ISO 19005-2, 6.4.3).
  const conform = { name: 'conform', options: { levels: ['pdf/a-3b'] } } as const;
  const { violations } = await process({ ...task, steps: [conform], breakSignatures: true });
  expect(violations).toEqual([]);
  expect(run('pdfsig', at('out.pdf'))).toContain('form field is not signed');
});

it('names the step whose pages there are not', async () => {
  const at = workspace();
  const inputs = [richPdf(at('a.pdf'), 'alpha')];
  const steps = [
    { name: 'pages', options: { pages: '1,1' } },
    { name: 'rotate', options: { angle: 90, pages: '3' } },
  ] as const;
  await expect(chain(inputs, at('out.pdf'), steps)).rejects.toMatchObject({
    code: 'page_range_outside_document',
    faults: [{ field: 'steps[1].rotate.pages' }],
  });
});

it('does not return its input without reading it', async () => {
  const at = workspace();
  writeFileSync(at('broken.pdf'), '%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\nnothing more');
  for (const name of ['decrypt', 'merge'] as const) {
    const task = {
      inputs: [{ path: at('broken.pdf') }],
      output: at('out.pdf'),
      steps: [{ name, options: {} }],
    };
    await expect(process(task)).rejects.toMatchObject({ code: 'pdf_damaged' });
  }
});

it('attaches files to the document and keeps its existing ones, all as associated files (14.13)', async () => {
  const at = workspace();
  for (const name of ['first', 'second', 'third']) writeFileSync(at(`${name}.txt`), name);
  const attach = (name: string): Step => ({
    name: 'attach',
    options: { files: [{ file: at(`${name}.txt`), name: `${name}.txt`, relationship: 'Source' }] },
  });
  const input = textPages(at('in.pdf'), ['page']);
  const once = await chain([input], at('once.pdf'), [attach('first')]);
  const output = await chain([once], at('out.pdf'), [attach('second'), attach('third')]);
  const script = `import sys, pikepdf
pdf = pikepdf.open(sys.argv[1])
for one in pdf.Root.AF: print(one.UF, one.AFRelationship, one.EF.F.read_bytes().decode())`;
  const files = python(script, output).trim().split('\n');
  expect(files).toEqual(['first', 'second', 'third'].map((name) => `${name}.txt /Source ${name}`));
  expect(run('pdfdetach', '-list', output)).toMatch(/^3 embedded files/);
});
