import { describe, expect, it } from 'vitest';
import { balanceOf } from '../../../packages/pdf/src/steps/balance.ts';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { chain } from './chain.ts';
import { pixels } from './pixels.ts';

/** Content is put onto pages in the same place, whatever state their own content leaves behind (ISO 32000-1, 8.4.2). */

const BLUE_FRAME = '0 0 1 RG 2 w 1 1 398 298 re S';
const TEXT = 'BT /F1 18 Tf 50 200 Td (Public text) Tj ET';

/** Contents that leave something open, or close what was never opened; each entry is the streams of a page. */
const CONTENTS: Record<string, string[]> = {
  'a state that was changed without saving it': [`.5 0 0 .5 100 100 cm ${BLUE_FRAME} ${TEXT}`],
  'states that are not restored': [`q .5 0 0 .5 100 100 cm q q q ${BLUE_FRAME} Q ${TEXT}`],
  'a clip that is not restored': [`${BLUE_FRAME} ${TEXT} q 10 10 30 30 re W n q q 3 Tr`],
  'states that were never saved': [`Q Q ${BLUE_FRAME} .5 0 0 .5 0 0 cm Q ${TEXT}`],
  'never saved and not restored': [`Q q .5 0 0 .5 0 0 cm ${TEXT} q q 3 0 0 3 9 9 cm`],
  'an open text object': ['BT 7 Tr /F1 18 Tf 50 200 Td (Public text) Tj'],
  'open marked content': [`/P <</MCID 0>> BDC /Span BMC ${TEXT}`],
  'a comment at the end': [`q .5 0 0 .5 0 0 cm ${TEXT} % Q`],
  'operands without an operator': [`${TEXT} 9 9 (left over`],
  'an unfinished inline image': [`${TEXT} q BI /W 1 /H 1 /BPC 8 /CS /G ID `],
  'operators that are spread over streams': ['q .5 0 0 .5 100', '100 cm q', `${TEXT} Q`],
};

function page(path: string, contents: readonly string[]): string {
  const streams = contents.map((_, at) => `${at + 5} 0 R`).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    `<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 4 0 R >> >> /Contents [${streams}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.map((content) => rawStream('', content)),
  ]);
}

/** A red page of 100 by 100 points. */
function red(path: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    rawStream('', '1 0 0 rg 0 0 100 100 re f'),
  ]);
}

const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

/** Poppler pops its own states when a page restores what was never saved; other readers ignore these operators. */
const withoutUnmatched = (streams: readonly string[]): string[] =>
  streams.map((content) =>
    content.replace(/^Q (?:Q )?|cm Q (?=BT)/g, (found) => (found.startsWith('cm') ? 'cm ' : '')),
  );

describe.each(Object.entries(CONTENTS))('on a page with %s', (_, contents) => {
  it('a stamp, a page number and a scaled page stand where they belong', async () => {
    const at = workspace();
    const input = page(at('in.pdf'), contents);
    const steps: Step[] = [
      { name: 'stamp', options: { pdf: red(at('red.pdf')), position: 'bottom-right' } },
      { name: 'page_numbers', options: { format: 'page {page}' } },
    ];
    const output = await chain([input], at('out.pdf'), steps);
    expectSound(output);
    const [original, stamped] = [
      await pixels(page(at('expected.pdf'), withoutUnmatched(contents))),
      await pixels(output),
    ];
    // A centimetre from the edges.
    const [x, y] = [400 - 28.35 - 50, 300 - 28.35 - 50].map(Math.round);
    expect(stamped.at(x ?? 0, y ?? 0)).toEqual(RED);
    expect(stamped.at((x ?? 0) + 60, y ?? 0)).toEqual(WHITE);
    expect(pageTexts(output).join(' ')).toContain('page 1');
    for (let left = 0; left < 260; left += 7)
      for (let top = 0; top < 180; top += 7) expect(stamped.at(left, top)).toEqual(original.at(left, top));
    const scaled = await chain([input], at('scaled.pdf'), [
      { name: 'scale', options: { paper: { width: 600, height: 300, follows: false }, fit: 'contain' } },
      ...steps.slice(0, 1),
    ]);
    expect((await pixels(scaled)).at(600 - 28 - 50, 300 - 28 - 50)).toEqual(RED);
    expect(run('qpdf', '--check', scaled)).toContain('No syntax or stream encoding errors');
  });
});

it('reads what content leaves open, and leaves balanced content as it is', () => {
  const balance = (content: string): unknown => balanceOf(Buffer.from(content));
  expect(balance('q 1 0 0 1 0 0 cm Q % q q\n')).toEqual({ corrected: undefined, closing: '' });
  expect(balance('(q) Tj q q')).toEqual({ corrected: undefined, closing: 'Q Q ' });
  expect(balance('BT /P BMC q')).toEqual({ corrected: undefined, closing: 'ET EMC Q ' });
  expect(balance('Q q Q Q')).toEqual({ corrected: Buffer.from('  q Q  '), closing: '' });
});
