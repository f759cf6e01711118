import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docx } from '../office/build.ts';
import { changedFontOf, fontOf, paragraphIn } from '../support/fonts.ts';
import { HOSTILE_FONTS } from '../support/hostile-fonts.ts';
import { rawPdf } from '../pdf/fixtures.ts';
import { call, expectStatus, form, jsonOf, mint } from './client.ts';

/** Fonts of tenants over HTTP (I-40). */

/** Names of the fonts in a PDF, without the marks of subsets. */
function fontsOf(pdf: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'platen-fonts-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf);
    const lines = execFileSync('pdffonts', [join(folder, 'a.pdf')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.slice(2).map((line) => (line.split(/\s+/)[0] ?? '').replace(/^[A-Z]{6}\+/, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });
}

function svg(font: string): string {
  return `<svg xmlns='http://www.w3.org/2000/svg' width='200' height='60'><text y='40' font-size='30' fill='#060' font-family='${font}'>Text</text></svg>`;
}

function drawingIn(font: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg(font)).toString('base64')}`;
}

async function printed(html: string, options: object = {}, headers: Record<string, string> = {}) {
  const body = form({
    file_data: [html, 'a.html'],
    render_data: '{}',
    render_options: JSON.stringify({ display_header_footer: false, ...options }),
  });
  return fontsOf(expectStatus(await call('POST', '/v1/render/pdf', { headers, body }), 200).bytes);
}

async function pdfOf(html: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const options = JSON.stringify({ display_header_footer: false });
  const body = form({ file_data: [html, 'a.html'], render_data: '{}', render_options: options });
  return expectStatus(await call('POST', '/v1/render/pdf', { headers, body }), 200).bytes;
}

it('a font is available by its family, in both engines, for its tenant alone', async () => {
  const put = await call('PUT', '/v1/fonts/Zaladea.ttf', {
    body: form({ file_data: [fontOf('Zaladea'), 'x'] }),
  });
  expect(jsonOf(expectStatus(put, 200))).toMatchObject({
    filename: 'Zaladea.ttf',
    format: 'ttf',
    faces: [{ family: 'Zaladea', style: 'Regular', weight: [400, 400], italic: false, scripts: ['Latin'] }],
  });
  const html = '<style>p { font-family: Zaladea, monospace }</style><p>Text</p>';
  expect(await printed(html)).toEqual(['Zaladea-Regular']);
  expect(await printed(html, { rendering_engine: 'webkit' })).toEqual(['Zaladea-Regular']);
  const authorization = await mint('--tenant', 'other-of-fonts');
  expect(await printed(html, {}, { authorization })).not.toContain('Zaladea-Regular');
  expect(await printed(html, { rendering_engine: 'webkit' }, { authorization })).not.toContain(
    'Zaladea-Regular',
  );
  expect(
    JSON.parse((await call('GET', '/v1/fonts', { headers: { authorization } })).bytes.toString()),
  ).toEqual([]);
  expectStatus(await call('DELETE', '/v1/fonts/Zaladea.ttf'), 204);
  expect(await printed(html)).not.toContain('Zaladea-Regular');
});

it.each(['chrome', 'webkit'])('headers and footers have it too, once for all pages: %s', async (engine) => {
  const put = { body: form({ file_data: [fontOf('Yaladea'), 'x'] }) };
  expectStatus(await call('PUT', '/v1/fonts/Yaladea.ttf', put), 200);
  const part = (text: string): string =>
    `<b style="font:12pt Yaladea">${text} <i class="pageNumber"></i></b>`;
  const fontsWith = async (options: object, headers: Record<string, string> = {}) => {
    const pages = '<p style="break-after:page">one<p>two';
    const all = { display_header_footer: true, rendering_engine: engine, ...options };
    return (await printed(pages, all, headers)).filter((name) => name.startsWith('Yaladea'));
  };
  expect(await fontsWith({ header_file: part('Head') })).toEqual(['Yaladea-Regular']);
  expect(await fontsWith({ footer_file: { default: 'Yaladea', '2': part('Foot') } })).toEqual([
    'Yaladea-Regular',
  ]);
  // A plain text stays one, and nobody else has the font.
  expect(await fontsWith({ footer_file: 'Yaladea' })).toEqual([]);
  const authorization = await mint('--tenant', 'other-of-fonts');
  expect(await fontsWith({ header_file: part('Head') }, { authorization })).toEqual([]);
});

it('office documents use it, each with a separate engine', async () => {
  const put = { body: form({ file_data: [fontOf('Xaladea'), 'x'] }) };
  expectStatus(await call('PUT', '/v1/fonts/Xaladea.ttf', put), 200);
  const document = await docx(paragraphIn('Xaladea', 'Text'));
  const print = async (headers: Record<string, string> = {}): Promise<string[]> => {
    const body = form({ file_data: [document, 'a.docx'], render_data: '{}' });
    return fontsOf(expectStatus(await call('POST', '/v1/render/pdf', { headers, body }), 200).bytes);
  };
  const authorization = await mint('--tenant', 'other-of-fonts');
  expect(await print({ authorization })).not.toContain('Xaladea-Regular');
  expect(await print()).toEqual(['Xaladea-Regular']);
  // The engine that was there before and after has never heard of it.
  expect(await print({ authorization })).not.toContain('Xaladea-Regular');
  expectStatus(await call('DELETE', '/v1/fonts/Xaladea.ttf'), 204);
  expect(await print()).not.toContain('Xaladea-Regular');
});

it.each([
  ['html', async () => Promise.resolve('<p style="font-family: Waladea">Text</p>')],
  ['docx', async () => await docx(paragraphIn('Waladea', 'Text'))],
  ['html with a drawing', async () => Promise.resolve(`<img src="${drawingIn('Waladea')}">`)],
] as const)('a version keeps its fonts if they are changed or deleted: %s', async (kind, file) => {
  const [format] = kind.split(' ');
  const authorization = await mint('--tenant', `kept-fonts-${kind.replaceAll(' ', '-')}`);
  const headers = { authorization };
  const put = async (bytes: Buffer) =>
    expectStatus(
      await call('PUT', '/v1/fonts/W.ttf', { headers, body: form({ file_data: [bytes, 'x'] }) }),
      200,
    );
  const change = async (method: string, path: string, fields: Parameters<typeof form>[0]) =>
    jsonOf(expectStatus(await call(method, path, { headers, body: form(fields) }), 200));
  const options = JSON.stringify({ display_header_footer: false });
  const template = { template_data: JSON.stringify({ name: 'n', format }), file_data: [await file(), 'a'] };
  const shown = async (id: string, version = '') => {
    const body = form({ render_data: '{}', ...(format === 'html' ? { render_options: options } : {}) });
    const answer = await call('POST', `/v1/render/pdf/${id}${version}`, { headers, body });
    return fontsOf(expectStatus(answer, 200).bytes);
  };
  // Of an office document each rendering takes an engine of its own: the last two tell enough.
  const isShown = async (at: string, font: string) => {
    if (format === 'html') expect(await shown(at)).toEqual([font]);
  };
  // Added before there was the font: it is there with the next rendering.
  const early = String((await change('POST', '/v1/template', template as never))['id']);
  await put(fontOf('Waladea'));
  await isShown(early, 'Waladea-Regular');
  const added = await change('POST', '/v1/template', template as never);
  const id = String(added['id']);
  expect(added['fonts']).toEqual(['W.ttf']);
  await put(changedFontOf('Waladea'));
  await isShown(early, 'Waladea-Changed');
  await isShown(id, 'Waladea-Regular');
  const changed = await change('PUT', `/v1/template/${id}`, { template_data: '{"note": "the new font"}' });
  expect(changed['version']).toBe(2);
  await isShown(id, 'Waladea-Changed');
  expectStatus(await call('DELETE', '/v1/fonts/W.ttf', { headers }), 204);
  expect(await shown(id)).toEqual(['Waladea-Changed']);
  expect(await shown(id, '?version=1')).toEqual(['Waladea-Regular']);
  if (format === 'html') expect(await shown(early)).not.toContain('Waladea-Changed');
  const other = await mint('--tenant', 'other-of-fonts');
  expect((await call('POST', `/v1/render/pdf/${id}`, { headers: { authorization: other } })).status).toBe(
    404,
  );
});

it('drawings use it too: as an image, and within pages of both engines', async () => {
  const put = { body: form({ file_data: [fontOf('Valadea'), 'x'] }) };
  expectStatus(await call('PUT', '/v1/fonts/Valadea.ttf', put), 200);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text y="40" font-size="30" font-family="Valadea">Text</text></svg>';
  const authorization = await mint('--tenant', 'other-of-fonts');
  const image = async (headers: Record<string, string> = {}) => {
    const body = form({ image: [svg, 'a.svg'] });
    return fontsOf(expectStatus(await call('POST', '/v1/render/img', { headers, body }), 200).bytes);
  };
  const page = async (rendering_engine: string, headers: Record<string, string> = {}) => {
    const body = form({
      file_data: ['<img src="{{ logo }}">', 'a.html'],
      img_logo: [svg, 'a.svg'],
      render_data: '{}',
      render_options: JSON.stringify({ display_header_footer: false, rendering_engine }),
    });
    return fontsOf(expectStatus(await call('POST', '/v1/render/pdf', { headers, body }), 200).bytes);
  };
  expect(await image()).toEqual(['Valadea-Regular']);
  expect(await image({ authorization })).not.toContain('Valadea-Regular');
  for (const engine of ['chrome', 'webkit']) {
    expect(await page(engine), engine).toEqual(['Valadea-Regular']);
    expect(await page(engine, { authorization }), engine).not.toContain('Valadea-Regular');
  }
  expectStatus(await call('DELETE', '/v1/fonts/Valadea.ttf'), 204);
  expect(await image()).not.toContain('Valadea-Regular');
});

it('drawings in data: addresses are set in it too, wherever they stand', async () => {
  const put = { body: form({ file_data: [fontOf('Taladea'), 'x'] }) };
  expectStatus(await call('PUT', '/v1/fonts/Taladea.ttf', put), 200);
  const escaped = `data:image/svg+xml,${encodeURIComponent(svg('Taladea')).replaceAll("'", '%27')}`;
  const image = `<img src="${drawingIn('Taladea')}">`;
  const images = `${image}<img src=${escaped}><img srcset="${drawingIn('Taladea')} 1x"><img src="${drawingIn('Cousine')}"><svg width="200" height="60"><image href="${escaped}" width="200" height="60"/></svg>`;
  // What stands behind text is drawn without fonts, as outlines.
  const behind = (rule: string): string => `<style>p { height: 60px; background: ${rule} }</style><p>`;
  const backgrounds = {
    raw: behind(`url("data:image/svg+xml;utf8,${svg('Taladea').replaceAll('#', '%23')}")`),
    attribute: `<p style="height: 60px; background: url('${escaped}')">`,
  };
  const authorization = await mint('--tenant', 'other-of-fonts');
  const expected = new Set(['Taladea-Regular', 'Cousine-Regular']);
  for (const rendering_engine of ['chrome', 'webkit']) {
    expect(new Set(await printed(images, { rendering_engine })), rendering_engine).toEqual(expected);
    expect(await printed(images, { rendering_engine }, { authorization })).not.toContain('Taladea-Regular');
    const furniture = { rendering_engine, display_header_footer: true, header_file: image };
    expect(await printed('<p>', furniture), rendering_engine).toContain('Taladea-Regular');
  }
  const drawn = async (html: string, headers: Record<string, string> = {}): Promise<string> =>
    execFileSync('pdftoppm', ['-r', '40', '-gray', '-'], {
      input: await pdfOf(html, headers),
      encoding: 'latin1',
    });
  for (const [place, html] of Object.entries(backgrounds))
    expect(await drawn(html), place).not.toBe(await drawn(html, { authorization }));
  const page = [await pdfOf('<p>'), 'a.pdf'] as const;
  const stamped = await call('POST', '/v1/pdf/stamp', { body: form({ file: [...page], html: image }) });
  expect(fontsOf(expectStatus(stamped, 200).bytes)).toContain('Taladea-Regular');
});

it('a file that is not a font, or not complete, is refused', async () => {
  for (const bytes of [
    '<svg/>',
    fontOf('Zaladea').subarray(0, 5000),
    Buffer.from('wOF2'.padEnd(300, '\xff'), 'latin1'),
  ]) {
    const answer = await call('PUT', '/v1/fonts/bad.ttf', { body: form({ file_data: [bytes, 'x'] }) });
    expect([answer.status, jsonOf(answer)['code']]).toEqual([422, 'font_invalid']);
  }
  const named = await call('PUT', '/v1/fonts/..', { body: form({ file_data: [fontOf('Zaladea'), 'x'] }) });
  expect(named.status).toBeGreaterThanOrEqual(400);
});

it('hostile fonts are refused or printed, in every engine, without affecting other requests', async () => {
  const refused: string[] = [];
  const families: { family: string; isDesktop: boolean }[] = [];
  for (const [index, [name, make]] of Object.entries(HOSTILE_FONTS).entries()) {
    const family = `Hostil${String.fromCharCode(65 + index)}`;
    const put = { body: form({ file_data: [make(family), 'x'] }) };
    const answer = await call('PUT', `/v1/fonts/${family}`, put);
    expect([200, 422], `${name}: ${answer.bytes.toString()}`).toContain(answer.status);
    if (answer.status === 200) families.push({ family, isDesktop: name.startsWith('TrueType') });
    else {
      expect(jsonOf(answer)['code'], name).toBe('font_invalid');
      refused.push(name);
    }
  }
  // What is not whole, or would hold an engine up; the rest is for the engines to bear.
  expect(refused).toEqual([
    'TrueType, outlines in a circle',
    'TrueType, outlines that multiply',
    'TrueType, a character map that leads elsewhere',
    'WOFF2, outlines in a circle',
    'WOFF2, transformed outlines of any bytes',
    'WOFF2, cut off',
    'WOFF2, a table of four gigabytes',
    'WOFF2, a stream of 200 MB',
    'WOFF2, lengths that are not those of the stream',
  ]);
  const html = families
    .map(({ family }) => `<p style="font-family: ${family}">Text in ${family} <b>bold</b>`)
    .join('');
  const print = async (file: string | Buffer, name: string, options: object) => {
    const render_options = JSON.stringify(options);
    const body = form({ file_data: [file, name], render_data: '{}', render_options });
    return await call('POST', '/v1/render/pdf', { body });
  };
  for (const rendering_engine of ['chrome', 'webkit']) {
    const options = { rendering_engine, display_header_footer: false };
    const { bytes } = expectStatus(await print(html, 'a.html', options), 200);
    for (const { family } of families) expect(textOf(bytes), rendering_engine).toContain(family);
    const next = expectStatus(await print('<p>The next one', 'a.html', options), 200);
    expect(textOf(next.bytes), rendering_engine).toContain('The next one');
  }
  const document = await docx(
    families
      .filter(({ isDesktop }) => isDesktop)
      .map(({ family }) => paragraphIn(family, `Text in ${family}`))
      .join(''),
  );
  expectStatus(await print(document, 'a.docx', {}), 200);
  const next = expectStatus(await print(await docx(paragraphIn('Arial', 'After')), 'a.docx', {}), 200);
  expect(textOf(next.bytes)).toContain('After');
  for (const { family } of families) expectStatus(await call('DELETE', `/v1/fonts/${family}`), 204);
});

it('text and html of stamps use it, for its tenant alone', async () => {
  for (const [name, bytes] of [
    ['Xaladea.ttf', fontOf('Xaladea')],
    ['Inconsolata.otf', readFileSync('node_modules/bwip-js/fonts/Inconsolata.otf')],
  ] as const) {
    expectStatus(await call('PUT', `/v1/fonts/${name}`, { body: form({ file_data: [bytes, 'x'] }) }), 200);
  }
  const page = rawPdf(join(mkdtempSync(join(tmpdir(), 'platen-fonts-')), 'a.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] >>',
  ]);
  const stamped = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    await call('POST', '/v1/pdf/stamp', {
      headers,
      body: form({ file: [readFileSync(page), 'a.pdf'], ...fields }),
    });
  const text = { text: 'Set in it Ж', font: 'xaladea' };
  const { bytes } = expectStatus(await stamped(text), 200);
  // What it has not is set in the service's own.
  expect(fontsOf(bytes).sort()).toEqual(['Arimo-Regular', 'Xaladea-Regular']);
  expect(textOf(bytes)).toContain('Set in it Ж');
  const postScript = expectStatus(await stamped({ text: 'PostScript', font: 'Inconsolata' }), 200).bytes;
  expect(fontsOf(postScript)).toEqual(['Inconsolata']);
  expect(textOf(postScript)).toContain('PostScript');
  const html = { html: '<p style="font-family: Xaladea">printed</p>' };
  expect(fontsOf(expectStatus(await stamped(html), 200).bytes)).toEqual(['Xaladea-Regular']);
  const steps = JSON.stringify({ steps: [{ watermark: { text: 'Draft', font: 'Xaladea' } }] });
  const barcode = form({
    data: JSON.stringify({ data: '123', barcode_format: 'qr' }),
    render_options: steps,
  });
  expect(
    fontsOf(expectStatus(await call('POST', '/v1/render/barcode', { body: barcode }), 200).bytes),
  ).toEqual(['Xaladea-Regular']);
  expect(
    await printed('<p style="font-family: Arimo">a', {
      steps: [{ watermark: { text: 'Draft', font: 'Xaladea' } }],
    }),
  ).toContain('Xaladea-Regular');
  const authorization = await mint('--tenant', 'other-of-stamps');
  expect(jsonOf(expectStatus(await stamped(text, { authorization }), 422))).toMatchObject({
    code: 'invalid_field',
    errors: [{ field: 'stamp.font' }],
  });
  expect(fontsOf(expectStatus(await stamped(html, { authorization }), 200).bytes)).not.toContain(
    'Xaladea-Regular',
  );
});

describe('families that the service does not have', () => {
  const KINDS: [string, string, string[]][] = [
    ['sans', 'Arimo', ['Roboto', 'Inter', 'Segoe UI', 'Tahoma', 'Ubuntu']],
    ['wide sans', 'NotoSans', ['Verdana', 'Open Sans', 'Montserrat']],
    ['narrow sans', 'Carlito', ['Lato', 'Source Sans Pro', 'Oswald', 'Corbel']],
    ['serif', 'Tinos', ['Georgia', 'Garamond', 'Merriweather', 'Book Antiqua']],
    ['monospace', 'Cousine', ['Consolas', 'Menlo', 'Fira Code', 'Lucida Console']],
  ];
  const familiesOf = (fonts: string[]) => [...new Set(fonts.map((name) => name.replace(/-.*/, '')))];

  it.each(KINDS.flatMap((kind) => ['chrome', 'webkit'].map((engine) => [...kind, engine] as const)))(
    'that are %s become %s on pages: %s, %s',
    async (_, family, names, engine) => {
      const html = names.map((name) => `<p style="font-family:'${name}'">Текст, text</p>`).join('');
      expect(familiesOf(await printed(html, { rendering_engine: engine }))).toEqual([family]);
    },
  );

  it.each(KINDS)('that are %s become %s in office documents: %s', async (_, family, names) => {
    const runs = names.map(
      (name) => `<w:r><w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}"/></w:rPr><w:t>Text</w:t></w:r>`,
    );
    const file = await docx(`<w:p>${runs.join('')}</w:p>`);
    const body = form({
      file_data: [file, 'a.docx'],
      template_data: '{"name":"a","format":"docx"}',
      render_data: '{}',
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    expect(familiesOf(fontsOf(bytes))).toEqual([family]);
  });

  it('lead to the same font in stamps', async () => {
    const body = form({
      file: [await pdfOf('<p style="height: 1cm">'), 'a.pdf'],
      text: 'Text',
      font: 'Consolas',
    });
    const { bytes } = expectStatus(await call('POST', '/v1/pdf/stamp', { body }), 200);
    expect(familiesOf(fontsOf(bytes))).toEqual(['Cousine']);
  });

  it('are passed over only where the list names one that is there first', async () => {
    expect(await printed('<p style="font-family: Nobody, Consolas, serif">Text')).toEqual([
      'Cousine-Regular',
    ]);
    expect(await printed('<p style="font-family: Arimo, Consolas">Text')).toEqual(['Arimo-Regular']);
  });
});
