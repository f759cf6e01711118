import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, inject, it } from 'vitest';
import { expectStatus, form, mint, call } from './client.ts';

/** Requests that one tenant sends in great numbers and that take long, and small ones of another tenant meanwhile. */

const { url } = inject('service');
const tokens: Record<'many' | 'few', string> = { many: '', few: '' };

beforeAll(async () => {
  for (const tenant of ['many', 'few'] as const)
    tokens[tenant] = await mint('--tenant', `fairness-${tenant}`);
});

/** A page of patterns that are painted with patterns; its cross-references are left to be rebuilt. */
function pdfOfPatterns(levels: number): Buffer {
  const paint = '/Pattern cs/P scn 0 0 600 600 re f';
  const stream = (entries: string, content: string) =>
    `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
  const patterns = Array.from({ length: levels }, (_, level) => {
    const next = level + 1 < levels ? `<</Pattern<</P ${level + 6} 0 R>>>>` : '<<>>';
    const entries = `/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep .5/YStep .5/Resources${next}`;
    return stream(entries, level + 1 < levels ? paint : '0 0 .1 .1 re f');
  });
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 600]/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>>>',
    stream('', levels > 0 ? paint : ''),
    ...patterns,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n%%EOF`);
}

const html = (text: string) => () => form({ file_data: [text, 'a.html'], render_data: '{"name":"you"}' });
const pdf = (levels: number) => () => form({ file: [pdfOfPatterns(levels), 'a.pdf'] });
const SLOW = '{% for i in range(100000) %}{% set x = ("%s" * 1000000) % (1,) %}{% endfor %}';
const SMALL = { path: '/v1/render/html', body: html('<p>Hello {{ name }}') };

it.for([
  { of: 'slow templates', count: 30, path: '/v1/render/html', body: html(SLOW), small: SMALL },
  {
    of: 'endless scripts',
    count: 40,
    path: '/v1/render/pdf',
    body: html('<script>while (true);</script>'),
    small: SMALL,
  },
  {
    of: 'PDFs of patterns',
    count: 8,
    path: '/v1/pdf/image/png',
    body: pdf(8),
    small: { path: '/v1/pdf/info', body: pdf(0) },
  },
])('$count $of of one tenant do not delay a small request of another', async (flood) => {
  const leaving = new AbortController();
  let ended = 0;
  const asked = Array.from({ length: flood.count }, async () => {
    const sent = { method: 'POST', body: flood.body(), headers: { authorization: tokens.many } };
    await fetch(url + flood.path, { ...sent, signal: leaving.signal }).catch(() => undefined);
    ended++;
  });
  // The functions have begun with the first ones.
  await sleep(1_500);
  const before = ended;
  for (let n = 0; n < 3; n++) {
    const headers = { authorization: tokens.few };
    const { path, body } = flood.small;
    expectStatus(await call('POST', path, { body: body(), headers }), 200);
  }
  // In the order of arrival, all but the last four would have to end first.
  expect(ended - before).toBeLessThan(flood.count / 2);
  leaving.abort();
  await Promise.all(asked);
});
