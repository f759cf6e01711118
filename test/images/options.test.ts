import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { type DocumentKind, effectOf, OPTION_NAMES } from '../../packages/contract/src/option-effects.ts';
import type { RenderOptions } from '../../packages/contract/src/options.ts';
import { pdfOf, problemOf, service } from './support.ts';

/** The table of options (docs/options.md) holds for images and barcodes: what it says of an option is what it does. */

const { image, barcode } = service({
  signing: {
    signerOf: () => Promise.resolve((pdf) => Promise.resolve(Buffer.concat([pdf, Buffer.from('% signed')]))),
  },
});

/** Something else than the default, of every option, and what has to be there for it to show. */
const VALUES: { [K in keyof Required<RenderOptions>]: [RenderOptions[K], RenderOptions?] } = {
  paper_format: ['A5'],
  landscape: [true],
  margin_top: [3],
  paper_width: [9],
  paper_height: ['62mm'],
  // These two bound what is larger than the page.
  margin_bottom: [27],
  margin_left: [3],
  margin_right: [19],
  css_page: [false],
  scale: [0.5],
  print_background: [false, { background_color: [1, 2, 3] }],
  page_range: ['2'],
  compress: [true],
  steps: [[{ rotate: { angle: 90 } }]],
  conformance: [['pdf/a-3b']],
  on_violation: ['warn'],
  language: ['de'],
  title: ['A title'],
  outline: [false],
  form_fields: [true],
  office: [{ landscape: true }],
  view: [{ panel: 'thumbnails' }],
  sign: [{ key: 'seal' }],
  encrypt_password: ['secret'],
  factur_x: [{ profile: 'en16931', data: '.' }],
  wait_for: [{ milliseconds: 5 }],
  media: ['screen'],
  viewport: [{ width: 800, height: 600 }],
  javascript: [false],
  cookies: [[{ name: 'a', value: 'b', domain: 'e.example' }]],
  headers: [[{ origin: 'https://e.example', name: 'a', value: 'b' }]],
  fail_on: [['http']],
  full_page: [false],
  selector: ['p'],
  device_scale: [2],
  transparent: [true],
  quality: [50],
  display_header_footer: [false],
  disable_header_footer_first_page: [true],
  first_page_number: [5],
  header_file: ['header'],
  footer_file: ['footer'],
  title_header_enabled: [false],
  date_header_enabled: [false],
  date_locale: ['de_AT'],
  locale: ['de_AT'],
  page_number_footer_enabled: [false],
  templating_engine: ['liquid'],
  undefined: ['strict'],
  autoescape: [true],
  rendering_engine: ['webkit'],
  filename: ['Label {{ a }}'],
  x: [3],
  y: [3],
  w: [3],
  h: [3],
  keep_ratio: [false, { w: 3, h: 3 }],
  image_mode: ['CMYK'],
  transparency_enabled: [false],
  background_color: [[1, 2, 3]],
  alt: ['What it shows'],
  text_enabled: [false],
};

const KINDS: Partial<Record<DocumentKind, (options: object) => ReturnType<typeof image>>> = {
  image: async (options) => await image(await picture, 'x.png', options),
  barcode: async (options) => await barcode('5901234123457', 'ean13', options),
};

const picture = sharp({
  create: { width: 900, height: 1000, channels: 4, background: { r: 200, g: 20, b: 20, alpha: 0.5 } },
})
  .png()
  .toBuffer();

/** Options whose effect shows otherwise than in the bytes of the PDF. */
const OTHERS: readonly (keyof RenderOptions)[] = [
  'page_range',
  'factur_x',
  'filename',
  'on_violation',
  'compress',
];

describe.each(Object.entries(KINDS))('a PDF of %s', (kind, render) => {
  it.each(OPTION_NAMES.filter((option) => !OTHERS.includes(option)))(
    '%s has the effect that the table names',
    async (option) => {
      const [value, besides = {}] = VALUES[option];
      const effect = effectOf(option, kind as DocumentKind);
      const reply = await render({ ...besides, [option]: value });
      if (effect === 'refused') {
        expect(problemOf(reply)).toMatchObject({ status: 422, code: 'option_not_supported' });
      } else {
        const isSame = pdfOf(reply).equals(pdfOf(await render(besides)));
        expect({ option, isSame }).toEqual({ option, isSame: effect === 'none' });
      }
    },
  );

  it('has one page: to ask for the second is a fault, to ask for the first is not', async () => {
    const [pages] = VALUES.page_range;
    const reply = await render({ page_range: pages });
    expect(problemOf(reply)).toMatchObject({ status: 422, code: 'page_range_outside_document' });
    expect((await render({ page_range: '1' })).status).toBe(200);
  });

  it('has no record that an invoice could be in', async () => {
    const [invoice] = VALUES.factur_x;
    const reply = await render({ factur_x: invoice });
    expect(problemOf(reply)).toMatchObject({ status: 422, code: 'invalid_option' });
    expect(problemOf(reply).errors).toMatchObject([{ field: 'render_options.factur_x.data' }]);
  });

  it('has no record for its name: the text is the name as it is', async () => {
    const [filename] = VALUES.filename;
    const { headers } = await render({ filename });
    expect(headers['content-disposition']).toBe('attachment; filename="Label {{ a }}.pdf"');
  });

  it('claims nothing, so that nothing violates it', async () => {
    const [onViolation] = VALUES.on_violation;
    expect(pdfOf(await render({ on_violation: onViolation })).length).toBeGreaterThan(0);
  });

  it('is no larger compressed: where nothing was gained, the file stays what it was (I-30)', async () => {
    const [compressed, plain] = [pdfOf(await render({ compress: true })), pdfOf(await render({}))];
    expect(compressed.length).toBeLessThanOrEqual(plain.length);
    if (kind !== 'barcode') expect(compressed.equals(plain)).toBe(effectOf('compress', 'image') === 'none');
  });
});
