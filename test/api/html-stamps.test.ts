import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { expectSound, pageTexts, run } from '../pdf/fixtures.ts';
import { richPdf } from '../pdf/rich.ts';
import { pixels } from '../pdf/steps/pixels.ts';
import { type Answer, call, expectStatus, form, jsonOf, renderNow } from './client.ts';

/** Html as a stamp, printed by the browser for the pages that it is for (I-46). */

const directory = mkdtempSync(join(tmpdir(), 'platen-api-html-stamps-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
type Fields = Parameters<typeof form>[0];
const alpha: Fields[string] = [readFileSync(richPdf(at('alpha.pdf'), 'alpha')), 'a.pdf'];

const post = (route: string, fields: Fields): Promise<Answer> =>
  call('POST', `/v1/pdf/${route}`, { body: form(fields) });

function saved(answer: Answer): string {
  expectStatus(answer, 200);
  const path = at('answer.pdf');
  writeFileSync(path, answer.bytes);
  expectSound(path);
  return path;
}

/** Four by two centimetres, with the numbers of its page. */
const BOX =
  '<style>div { background: #ff0000; color: #ffffff; width: 4cm; height: 2cm }</style>' +
  '<div>Blatt <span class="pageNumber"></span> von <b class="totalPages"></b>, <i class="date"></i></div>';

it('is printed in its own size, with the number of its page, at its position', async () => {
  const answer = await post('stamp', { file: alpha, html: BOX, x: '2', y: '3', pages: '2-' });
  const path = saved(answer);
  const texts = pageTexts(path);
  expect(texts.map((text) => /Blatt \d von \d/.exec(text)?.[0])).toEqual([
    undefined,
    'Blatt 2 von 3',
    'Blatt 3 von 3',
  ]);
  expect(texts[1]).toContain(String(new Date().getUTCFullYear()));
  // A page that is turned shows it upright all the same.
  for (const page of [2, 3]) {
    const { at } = await pixels(path, page);
    const isRed = ([r = 0, g = 0]: number[]): boolean => r > 240 && g < 30;
    const corners = [at(60, 89), at(166, 138), at(53, 89), at(174, 138), at(60, 82), at(60, 147)];
    expect(corners.map(isRed), `page ${page}`).toEqual([true, true, false, false, false, false]);
  }
  expect(run('qpdf', '--qdf', '--object-streams=disable', path, '-')).toMatch(/\/Artifact <<.*\/Watermark/);
});

it('follows the steps before it, in a chain of several files, also as a part and under the page', async () => {
  const steps = [
    { pages: { pages: '6,1' } },
    { watermark: { html: 'note', position: 'top-left', opacity: 0.5 } },
    { rotate: { angle: 90 } },
  ];
  const note: Fields[string] = [
    '<p>S<span class=pageNumber></span>/<span class=totalPages></span>',
    'note.html',
  ];
  const parts: Fields = { file0: alpha, file1: alpha, note };
  const path = saved(await post('process', { ...parts, steps: JSON.stringify(steps) }));
  expect(pageTexts(path).map((text) => /S\d\/\d/.exec(text)?.[0])).toEqual(['S1/2', 'S2/2']);
  expectStatus(await post('watermark', { file: alpha, html: ['<p>x', 'x.html'] }), 200);
});

it('is as isolated as a rendering: no script runs, no private address is loaded, and missing resources are reported', async () => {
  const html =
    '<p id=p>still<script>p.textContent = "ran"</script><img onerror="p.textContent = 1" src="http://127.0.0.1:9/a.png">';
  const answer = await post('stamp', { file: alpha, html });
  const [text] = pageTexts(saved(answer));
  expect(text).toContain('still');
  expect(text).not.toContain('ran');
  expect(answer.headers.get('warning')).toContain('Not loaded: http://127.0.0.1:9/a.png');
  const both = await post('stamp', { file: alpha, html, text: 'x' });
  expect(jsonOf(expectStatus(both, 422))).toMatchObject({
    code: 'steps_invalid',
    errors: [{ field: 'html' }],
  });
  const nothing = await post('process', { file: alpha, steps: '[{"stamp":{"html":"absent"}}]' });
  expect(jsonOf(expectStatus(nothing, 422))).toMatchObject({ errors: [{ field: 'steps[0].stamp.html' }] });
});

it('is a step of renderings, too, for functions with a browser and for those without', async () => {
  const steps = [{ stamp: { html: BOX, position: 'bottom-right' } }];
  const rendered = await renderNow('<p>first<p style="break-before:page">second', { options: { steps } });
  expect(pageTexts(saved(rendered)).map((text) => /Blatt \d von \d/.exec(text)?.[0])).toEqual([
    'Blatt 1 von 2',
    'Blatt 2 von 2',
  ]);
  const image = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  const body = form({ image: [image, 'i.png'], render_options: JSON.stringify({ steps }) });
  expect(pageTexts(saved(await call('POST', '/v1/render/img', { body })))[0]).toContain('Blatt 1 von 1');
});
