import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ReportJson } from '../../packages/contract/src/report.ts';
import { odfWith } from '../convert/documents.ts';
import { call, endedJob, expectStatus, form, jsonOf, zipEntries, zipEntry } from './client.ts';

/** Reports over HTTP (I-54): what is wrong with a document is named, and nothing else. */

async function picture(side: number): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const image = sharp({ create: { width: side, height: side, channels: 3, background: 'white', noise } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}

async function reportOf(html: string, options: object = {}): Promise<ReportJson> {
  const body = form({ file_data: [html, 'page.html'], render_options: JSON.stringify(options) });
  const answer = expectStatus(await call('POST', '/v1/render/report', { body }), 200);
  expect(answer.headers.get('content-type')).toContain('application/json');
  return jsonOf(answer) as unknown as ReportJson;
}

const elements = (findings: readonly { element: string | null }[] | null): (string | null)[] =>
  (findings ?? []).map(({ element }) => element);

describe('the report of an html template', () => {
  it('names each fault in the document, and its page', async () => {
    const [coarse, fine] = [await picture(20), await picture(400)];
    const report = await reportOf(`<!doctype html><html lang="en"><head><title>Faults</title>
      <link rel="stylesheet" href="gone.css">
      <script src="gone.js"></script>
      <style>
        @import url(more.css);
        @font-face { font-family: Gone; src: url(gone.woff2); }
        body { font-family: sans-serif; width: 600px; margin: 0; }
        .page { break-before: page; }
        #wide { width: 900px; }
        #cut { width: 200px; overflow: hidden; white-space: nowrap; }
        #low { height: 20px; line-height: 20px; }
        #narrow { width: 60px; }
        #left { margin-left: -90px; width: 200px; }
        #away { position: absolute; left: -9999px; }
        #backed { width: 300px; height: 300px; background: url("${coarse}") 0 / cover; }
        .aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      </style></head><body>
      <img src="logo.png" width="20" alt=""><img src="data:image/png;base64,AAAA" width="20" alt="">
      <div style="background: url(paper.png)">paper</div>
      <img src="http://127.0.0.1:9/inside.png" width="20" alt="">
      <iframe src="gone.html" width="20" height="20"></iframe>
      <p style="font-family: 'Nope Sans', serif">Nope</p>
      <p style="font-family: Helvetica">Helvetica</p>
      <p style="font-family: Gone">Gone</p>
      <p id="box">\u0378</p>
      <div class="page">
        <table id="wide"><tr><td>too wide</td></tr></table>
        <p id="cut">A line that is much longer than the box that it stands in, and is cut off</p>
        <p id="left">Out at the left</p><p id="away">Put away</p>
        <p id="narrow">Donaudampfschifffahrtsgesellschaft</p>
        <div id="low">One line<br>and another<br>and one more</div>
        <p class="aloud">Read aloud and not shown at all</p>
      </div>
      <div class="page">
        <img id="coarse" src="${coarse}" width="300" height="300" alt="">
        <img src="${fine}" width="200" height="200" alt="">
        <div id="backed"></div>
        <p id="second">\u0530</p>
      </div>
      <script>
        console.error('the total is wrong', 7);
        console.warn('old data');
        Promise.reject(new Error('nobody waits'));
        nothing.there();
      </script></body></html>`);
    expect(report.pages).toBe(3);
    expect(report.bytes).toBeGreaterThan(10_000);
    expect(report.timings).toMatchObject({
      fill: expect.any(Number) as number,
      print: expect.any(Number) as number,
      total: expect.any(Number) as number,
    });
    const failed = report.resources.filter(({ error }) => error !== null).map(({ address }) => address);
    const gone = ['gone.css', 'gone.html', 'gone.js', 'gone.woff2', 'logo.png', 'more.css', 'paper.png'];
    const others = ['data:image/png;base64,AAAA', 'http://127.0.0.1:9/inside.png'];
    expect(failed.toSorted()).toEqual([...gone, ...others].toSorted());
    expect(JSON.stringify(report)).not.toContain('platen.invalid');
    expect(report.console).toEqual([
      { level: 'error', text: 'the total is wrong 7' },
      { level: 'warning', text: 'old data' },
      { level: 'error', text: expect.stringContaining('nothing is not defined') as string },
      { level: 'error', text: expect.stringContaining('nobody waits') as string },
    ]);
    expect(report.fonts.substituted).toEqual([
      { requested: 'Nope Sans', used: 'Tinos' },
      { requested: 'Helvetica', used: 'Arimo' },
      { requested: 'Gone', used: 'Tinos' },
    ]);
    expect(report.missing_glyphs).toEqual([
      { character: '\u0378', code: 'U+0378', page: 1 },
      { character: '\u0530', code: 'U+0530', page: 3 },
    ]);
    expect(elements(report.overflow)).toEqual(['table#wide', 'p#cut', 'p#left', 'p#narrow', 'div#low']);
    expect(new Set(report.overflow?.map(({ page }) => page))).toEqual(new Set([2]));
    expect(report.overflow?.[0]?.by).toBeGreaterThan(4);
    expect(report.images).toEqual([
      { element: 'img#coarse', page: 3, dpi: 6.4 },
      { element: 'div#backed', page: 3, dpi: 6.4 },
    ]);
    expect(report.violations).toEqual([]);
    const named = [failed, report.console, report.fonts.substituted, report.missing_glyphs];
    const all = [...named, report.overflow, report.images].reduce(
      (sum, list) => sum + (list?.length ?? 0),
      0,
    );
    expect(all).toBe(25);
  });

  it('names violations of a conformance level instead of failing with them', async () => {
    const html = `<html><head><title>T</title></head><body><h1>A</h1><h3>B</h3><img src="${await picture(9)}" width="3"></body></html>`;
    const { violations, pages } = await reportOf(html, { conformance: ['pdf/ua-1'] });
    expect(pages).toBe(1);
    const text = JSON.stringify(violations);
    for (const fault of [/alt/i, /heading/i, /language/i]) expect(text).toMatch(fault);
  });

  it('has no entry for documents without faults', async () => {
    const fine = await picture(600);
    const clean = [
      '<h1>Invoice 7</h1><p>Dear Ada, please pay 10 €.</p>',
      `<img src="${fine}" width="120" alt="a"><img srcset="${fine} 4x" style="object-fit: cover; width: 2cm; height: 1cm" alt="b">`,
      '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2210%22 height=%2210%22/%3E" width="300" alt="">',
      '<table style="width: 100%"><tr><th>Item<th>Price<tr><td>Work<td>7.00</table>',
      '<div style="display: flex; gap: 1em"><div>left</div><div style="flex: 1">right</div></div>',
      '<div style="display: grid; grid-template-columns: 1fr 1fr"><div>a</div><div>b</div></div>',
      '<div style="overflow: hidden"><p>all of it</p></div>',
      '<ul><li>one<li>two<ol><li>three</ol></ul>',
      '<pre>short code</pre>',
      '<p style="font-family: Arimo, sans-serif">Arimo</p><p style="font-family: monospace">mono</p>',
      '<p lang="ja">日本語の文書</p><p lang="ar" dir="rtl">مرحبا</p><p lang="hi">नमस्ते</p><p>😀</p>',
      '<p style="line-height: 1">Tight <sup>1</sup> <sub>2</sub></p>',
      '<div style="height: 50%"><p>of nothing</p></div>',
      '<p style="position: relative">x<span style="position: absolute; right: 0">y</span></p>',
      '<hr><blockquote>Said</blockquote><figure><figcaption>Figure</figcaption></figure>',
      '<div style="columns: 2"><p>one</p><p>two</p></div>',
      '<p style="text-indent: 2em; letter-spacing: 1px">indented</p>',
      '<details open><summary>More</summary>of it</details>',
      '<input value="typed"><button>press</button><select><option>chosen</select>',
      '<p hidden>not there</p><p style="visibility: hidden">not seen</p>',
      '<script>document.title += "!"</script>',
      '<style>@page { @top-right { content: counter(page) } }</style>',
      '<div style="break-before: page"><h2>Page two</h2></div>',
      '<svg width="100" height="20"><text y="15">drawn</text></svg>',
      '<p style="transform: rotate(3deg); width: 5cm">turned</p><div style="margin: 0 -5px">wider by a little inside</div>',
    ];
    expect(clean).toHaveLength(25);
    const html =
      '<!doctype html><html lang="en"><title>Clean</title><body style="padding: 0 10px">{{ body }}</body></html>';
    const body = form({
      file_data: [html, 'page.html'],
      render_data: JSON.stringify(clean.map((part) => ({ body: part }))),
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/report/batch', { body }), 200);
    const names = zipEntries(bytes);
    expect(names).toHaveLength(25);
    for (const name of names) {
      const report = JSON.parse(zipEntry(bytes, name).toString()) as ReportJson;
      expect(report, name).toMatchObject({
        console: [],
        overflow: [],
        images: [],
        missing_glyphs: [],
        violations: [],
      });
      expect(report.fonts.substituted).toEqual([]);
      expect(report.resources.filter(({ error }) => error !== null)).toEqual([]);
    }
  });
});

it('no picture remains in memory for the documents after it (I-54)', async () => {
  const file_data = ['<!doctype html><html lang="en"><title>T</title><p>Text', 'page.html'] as const;
  const send = (target: string) =>
    call('POST', `/v1/render/${target}`, { body: form({ file_data: [...file_data], render_data: '{}' }) });
  for (let round = 0; round < 2; round += 1) {
    expectStatus(await send('png'), 200);
    const { fonts } = jsonOf(expectStatus(await send('report'), 200)) as unknown as ReportJson;
    expect(fonts).toMatchObject({ requested: ['Tinos'], used: ['Tinos'], substituted: [] });
  }
});

describe('the report of a rendering with webkit', () => {
  it('names what can be read from the PDF, and nothing else', async () => {
    const html = `<!doctype html><title>T</title>{{ style }}<p>\u0378<img src="${await picture(9)}" width="300"><img src="http://127.0.0.1:9/a.png">`;
    const body = form({
      file_data: [html, 'page.html'],
      render_data: JSON.stringify(
        ['', '<style>@font-face { font-family: Own; src: url(own.ttf) }</style>'].map((style) => ({ style })),
      ),
      render_options: JSON.stringify({ rendering_engine: 'webkit' }),
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/report/batch', { body }), 200);
    const [plain, own] = zipEntries(bytes).map(
      (name) => JSON.parse(zipEntry(bytes, name).toString()) as ReportJson,
    );
    expect(plain).toMatchObject({ pages: 1, console: null, overflow: null, violations: [] });
    expect(plain?.missing_glyphs).toEqual([{ character: '\u0378', code: 'U+0378', page: null }]);
    expect(plain?.images).toMatchObject([{ element: null, page: 1 }]);
    expect(plain?.resources).toMatchObject([{ address: 'http://127.0.0.1:9/a.png' }]);
    expect(plain?.fonts).toMatchObject({ requested: null, substituted: null });
    // Its own font may have the character.
    expect(own?.missing_glyphs).toBeNull();
  });
});

describe('the report of an office document', () => {
  const styled = (name: string, family: string, more = '') =>
    `<style:style style:name="${name}" style:family="paragraph"><style:paragraph-properties ${more}/>` +
    `<style:text-properties fo:font-family="${family}"/></style:style>`;
  const report = async (body: string, styles: string): Promise<ReportJson> => {
    const file = await odfWith('odt', body, styles);
    const data = new FormData();
    data.append('file_data', new Blob([file]), 'letter.odt');
    return jsonOf(
      expectStatus(await call('POST', '/v1/render/report', { body: data }), 200),
    ) as unknown as ReportJson;
  };

  it('names the fonts that were replaced and the characters that no font has', async () => {
    const body =
      '<text:p text:style-name="a">Calibri</text:p><text:p text:style-name="b">two \u0378</text:p>';
    const faulty = await report(
      body,
      styled('a', 'Calibri') + styled('b', 'Calibri', 'fo:break-before="page"'),
    );
    expect(faulty).toMatchObject({ pages: 2, resources: [], console: null, overflow: null, images: [] });
    expect(faulty.fonts.requested).toEqual(['Calibri']);
    expect(faulty.fonts.substituted).toEqual([{ requested: 'Calibri', used: 'Carlito' }]);
    expect(faulty.missing_glyphs).toEqual([{ character: '\u0378', code: 'U+0378', page: 2 }]);
    expect(faulty.timings).toHaveProperty('convert');
    const clean = await report('<text:p text:style-name="a">Carlito é €</text:p>', styled('a', 'Carlito'));
    expect(clean).toMatchObject({
      fonts: { substituted: [] },
      missing_glyphs: [],
      images: [],
      violations: [],
    });
  });
});

describe('the report of a job', () => {
  it('stands beside the result, of a batch for all of its records together', async () => {
    const body = form({
      file_data: [
        '<title>T</title><p>{{ name }}<img src="gone-{{ name }}.png"><img src="gone.png">',
        'page.html',
      ],
      render_data: JSON.stringify([{ name: 'a' }, { name: 'b' }, { name: 'c' }]),
    });
    const accepted = expectStatus(
      await call('POST', '/v1/render/pdf/batch', { body, headers: { prefer: 'respond-async' } }),
      202,
    );
    const { id } = jsonOf(accepted) as { id: string };
    await endedJob(id);
    const report = jsonOf(
      expectStatus(await call('GET', `/v1/jobs/${id}/report`), 200),
    ) as unknown as ReportJson;
    expect(report).toMatchObject({ records: 3, pages: 3, overflow: [], console: [] });
    expect(report.resources.map(({ address, record, records }) => [address, record, records])).toEqual([
      ['gone-a.png', 0, 1],
      ['gone.png', 0, 3],
      ['gone-b.png', 1, 1],
      ['gone-c.png', 2, 1],
    ]);
  });
});
