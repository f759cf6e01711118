import { describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { docx, p, unzip } from '../office/build.ts';
import { part } from '../office/fill.ts';
import { odf, page, tp } from '../office/odf.ts';
import { pptx } from '../office/pptx.ts';
import { xlsx } from '../office/xlsx.ts';
import { type Answer, asFile, call, expectStatus, form, pdfText } from './client.ts';
import { execFileSync } from 'node:child_process';

/** Drawings in office documents: drawings for all who draw, with pixels beside them for Microsoft Office (I-42). */

const CHART = '<image src="{{ chart(sales, 320, 200) }}" alt="Sales by day">';
const DATA = {
  sales: {
    color: ['#00a000'],
    xAxis: { type: 'category', data: ['Monday', 'Tuesday'] },
    yAxis: { type: 'value' },
    series: [{ type: 'bar', data: [3, 5] }],
  },
};
const cell = `<table:table-cell office:value-type="string">${tp(CHART)}</table:table-cell>`;

/** A template with a chart, the parts that show pictures, and how they are told. */
const TEMPLATES: Record<string, { template: () => Promise<Buffer>; shown: string }> = {
  docx: { template: () => docx(p(CHART)), shown: 'word/document.xml' },
  pptx: { template: () => pptx([{ shapes: [CHART] }]), shown: 'ppt/slides/slide1.xml' },
  xlsx: { template: () => xlsx([{ name: 'S', rows: [[CHART]] }]), shown: 'xl/drawings/drawing1.xml' },
  odt: { template: () => odf('odt', tp(CHART)), shown: 'content.xml' },
  odp: { template: () => odf('odp', page('c', CHART)), shown: 'content.xml' },
  ods: {
    template: () =>
      odf(
        'ods',
        `<table:table table:name="S"><table:table-column/><table:table-row>${cell}</table:table-row></table:table>`,
      ),
    shown: 'content.xml',
  },
};

async function render(template: Buffer, from: string, to: string, data: unknown = DATA): Promise<Answer> {
  const body = form({
    file_data: [template, `template.${from}`],
    template_data: JSON.stringify({ name: 'Sales', format: from }),
    render_data: JSON.stringify(data),
  });
  return expectStatus(await call('POST', `/v1/render/${to}`, { body }), 200);
}

/** Where a relationship of a part leads, as a path. */
async function pathOf(bytes: Uint8Array, shown: string, id: string | undefined): Promise<string> {
  const relations = await part(bytes, shown.replace(/([^/]+)$/, '_rels/$1.rels'));
  const target =
    all(relations, 'rel:Relationship')
      .find((one) => one.get('Id') === id)
      ?.get('Target') ?? '';
  return new URL(target, `file:///${shown}`).pathname.slice(1);
}

/** Paths of the pixels and of the drawing of the one picture that a part shows. */
async function pictureOf(bytes: Uint8Array, shown: string): Promise<{ pixels: string; drawing: string }> {
  const root = await part(bytes, shown);
  const one = (list: Element[]): Element | undefined => {
    expect(list).toHaveLength(1);
    return list[0];
  };
  if (shown === 'content.xml') {
    const [drawing, pixels, ...rest] = all(root, 'draw:image').map((image) => image.get('xlink:href') ?? '');
    expect(rest).toEqual([]);
    const manifest = all(await part(bytes, 'META-INF/manifest.xml'), 'manifest:file-entry');
    const types = manifest.map((entry) => [
      entry.get('manifest:full-path'),
      entry.get('manifest:media-type'),
    ]);
    expect(types).toContainEqual([pixels, 'image/png']);
    return { pixels: pixels ?? '', drawing: drawing ?? '' };
  }
  const blip = one(all(root, 'a:blip'));
  const extension = one(all(blip ?? root, 'a:ext'));
  expect(extension?.get('uri')).toBe('{96DAC541-7B7A-43D3-8B79-37D633B846F1}');
  const types = all(await part(bytes, '[Content_Types].xml'), 'ct:Default').map((type) =>
    type.get('Extension'),
  );
  expect(types).toEqual(expect.arrayContaining(['png', 'svg']));
  return {
    pixels: await pathOf(bytes, shown, blip?.get('r:embed')),
    drawing: await pathOf(bytes, shown, one(all(extension ?? root, 'asvg:svgBlip'))?.get('r:embed')),
  };
}

describe('a chart in an office document', () => {
  test.each(Object.entries(TEMPLATES))(
    'in %s becomes pixels together with its drawing',
    async (format, { template, shown }) => {
      const { bytes, headers } = await render(await template(), format, format);
      expect(headers.get('warning')).toBeNull();
      const { pixels, drawing } = await pictureOf(bytes, shown);
      const parts = await unzip(bytes);
      expect([...parts.keys()].filter((name) => /\.(?:png|svg)$/.test(name)).sort()).toEqual(
        [pixels, drawing].sort(),
      );
      expect(String(parts.get(drawing))).toMatch(/^<svg width="320" height="200"/);
      const { data, info } = await sharp(parts.get(pixels)).raw().toBuffer({ resolveWithObject: true });
      // 300 dots per inch, where a CSS pixel is a ninety-sixth of an inch.
      expect([info.width, info.height, info.channels]).toEqual([1000, 625, 4]);
      let painted = 0;
      for (let at = 0; at < data.length; at += 4) if (data.readUInt32BE(at) === 0x00a000ff) painted += 1;
      expect(painted / (info.width * info.height)).toBeGreaterThan(0.1);
    },
  );

  test.each(Object.entries(TEMPLATES))(
    'in %s becomes lines and text in the PDF',
    async (format, { template }) => {
      const { bytes } = await render(await template(), format, 'pdf');
      expect(pdfText(bytes)).toMatch(/Monday[^]*Tuesday/);
      const images = asFile(bytes, (file) =>
        execFileSync('pdfimages', ['-list', file], { encoding: 'utf8' }),
      );
      expect(images.trim().split('\n')).toHaveLength(2);
    },
  );

  test('is stored once however often it is shown, and text keeps its own pictures', async () => {
    const twice = p(CHART) + p(CHART) + p('<image src="{{ other }}">');
    const other = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="red"/></svg>')}`;
    const { bytes } = await render(await docx(twice), 'docx', 'docx', { ...DATA, other });
    const names = [...(await unzip(bytes)).keys()].filter((name) => /\.(?:png|svg)$/.test(name));
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(2);
    expect(names.filter((name) => name.endsWith('.svg'))).toHaveLength(2);
    const root = await part(bytes, 'word/document.xml');
    const embedded = all(root, 'a:blip', 'asvg:svgBlip').map((one) => one.get('r:embed'));
    expect([embedded[0], embedded[1]]).toEqual([embedded[2], embedded[3]]);
    expect(new Set(embedded).size).toBe(4);
  });

  test('has no PNG if it cannot be drawn as pixels, and a warning names it', async () => {
    const cut = 'data:image/svg+xml,%3Csvg width="10" height="10"%3E%3Crect';
    const { bytes, headers } = await render(await docx(p('<image src="{{ s }}">')), 'docx', 'docx', {
      s: cut,
    });
    expect(headers.get('warning')).toMatch(/Microsoft Office does not show drawings.*damaged/);
    const root = await part(bytes, 'word/document.xml');
    expect(await pathOf(bytes, 'word/document.xml', all(root, 'a:blip')[0]?.get('r:embed'))).toMatch(
      /\.svg$/,
    );
  });
});

test('a filled document with a chart has the same bytes each time', async () => {
  const template = await docx(p(CHART));
  const [one, other] = [await render(template, 'docx', 'docx'), await render(template, 'docx', 'docx')];
  expect(one.bytes.equals(other.bytes)).toBe(true);
});
