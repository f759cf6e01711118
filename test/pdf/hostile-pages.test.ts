import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drawing, PAGE, pdf } from '../../bench/hostile-pdfs/build.ts';
import { DRAWINGS } from '../../bench/hostile-pdfs/drawings.ts';
import { PICTURES } from '../../bench/hostile-pdfs/pictures.ts';
import { field, file, post, serving } from './ask.ts';
import { workspace } from './fixtures.ts';

/** Pages that are small and take minutes to read or to draw: a page has 30 s, and here less. */

const serve = serving({ PLATEN_PDF_PAGE_TIMEOUT_MS: '1000' });

/** Returns the document of `onePage` with a harmless page before its page. */
function second(hostile: Buffer): Buffer {
  const text = hostile.toString('latin1');
  const bodies = [...text.matchAll(/\d+ 0 obj\n([\s\S]*?)\nendobj\n/g)].map(([, body = '']) => body);
  bodies[1] = `<< /Type /Pages /Count 2 /Kids [${bodies.length + 1} 0 R 3 0 R] >>`;
  return pdf([...bodies, `<< ${PAGE} >>`].map((body) => Buffer.from(body, 'latin1')));
}

const harmless = drawing(
  '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
  '1 0 0 rg 20 20 60 60 re f BT /F 24 Tf 20 120 Td (secret) Tj ET',
);

describe('a page that takes too long to draw', () => {
  it.each([
    [
      'tiling patterns within tiling patterns',
      DRAWINGS['tiling patterns within tiling patterns, eight levels'],
    ],
    ['a tiling pattern with a tiny step', DRAWINGS['tiling pattern with the smallest of steps']],
    ['optional content in a loop', DRAWINGS['optional content in a loop']],
    ['a calculator function', DRAWINGS['shading by a program that repeats its stack']],
    ['a picture of 60,000 x 60,000 bits', PICTURES['bits of 60,000 x 60,000, almost none there']],
  ])('ends with its thread, is named, and leaves the next request as it was: %s (I-34)', async (_, make) => {
    const at = workspace();
    writeFileSync(at('hostile.pdf'), second(make?.() ?? Buffer.alloc(0)));
    writeFileSync(at('harmless.pdf'), harmless);
    const draw = (name: string) =>
      post('/v1/pdf/image/png', [file(at(`${name}.pdf`)), field('dpi', '40')], at(`${name}.png`), serve);
    expect(await draw('harmless')).toMatchObject({ status: 200 });
    const before = readFileSync(at('harmless.png'));
    expect(await draw('hostile')).toMatchObject({
      status: 504,
      problem: { code: 'deadline_exceeded', detail: 'Page 2 took longer than 1 second.' },
    });
    expect(await draw('harmless')).toMatchObject({ status: 200 });
    expect(readFileSync(at('harmless.png'))).toEqual(before);
  });
});

describe('a page that takes too long to read', () => {
  it.each([
    ['text', []],
    ['info', []],
    ['redact', [field('words', '["secret"]')]],
    ['compress', [field('options', '{"quality":"low"}')]],
    ['process', [field('steps', '[{"rotate":{"angle":90}},{"redact":{"words":["secret"]}}]')]],
  ])('is named by %s, and the next request is answered (I-46, I-48)', async (route, fields) => {
    const at = workspace();
    const hostile = DRAWINGS['forms that show a long form, ten each, four levels']?.() ?? Buffer.alloc(0);
    writeFileSync(at('hostile.pdf'), second(hostile));
    writeFileSync(at('harmless.pdf'), harmless);
    const ask = (name: string) =>
      post(`/v1/pdf/${route}`, [file(at(`${name}.pdf`)), ...fields], at('answer'), serve);
    expect(await ask('hostile')).toMatchObject({
      status: 504,
      problem: { code: 'deadline_exceeded', detail: 'Page 2 took longer than 1 second.' },
    });
    expect(await ask('harmless')).toMatchObject({ status: 200 });
  });
});

it.each([
  ['of run lengths of one byte, millions of them', 'run lengths of one byte, 20 million'],
  ['that is its own mask', 'soft mask of a picture that is the picture'],
])('a picture %s is redacted (I-46)', async (_, name) => {
  const at = workspace();
  writeFileSync(at('a.pdf'), PICTURES[name]?.() ?? Buffer.alloc(0));
  const areas = field('areas', '[{"page":1,"x":0,"y":0,"w":3,"h":3}]');
  const { status } = await post('/v1/pdf/redact', [file(at('a.pdf')), areas], at('b.pdf'));
  expect(status).toBe(200);
});
