import { describe, expect, it } from 'vitest';
import { JinjaFiller } from '../../packages/templating/src/jinja.ts';
import { FillError } from '../../packages/templating/src/protocol.ts';
import { checkTemplateSyntax } from '../../functions/templates/syntax.ts';
import { docx, p } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { unzip } from '../office/build.ts';
import { barcodesIn } from './barcode-reader.ts';

/** Barcodes in templates: `{{ text | qrcode }}`, `{{ text | barcode("code128") }}`. */

const filler = new JinjaFiller({});

async function html(text: string, data: object = {}, engine: 'jinja2' | 'flask' = 'jinja2'): Promise<string> {
  const job = {
    engine,
    sources: [{ file: 'template' as const, text }],
    data: JSON.stringify(data),
    defaults: {},
  };
  return (await filler.fill(engine, job)).texts.join('');
}

describe('in html', () => {
  it.each(['jinja2', 'flask'] as const)(
    '%s: a drawing in the place of the tag, not escaped',
    async (engine) => {
      const text = await html('<p>{{ url | qrcode }}</p>', { url: 'https://example.com/?a=1&b=2' }, engine);
      expect(text).toMatch(/^<p><svg .*<\/svg><\/p>$/s);
      expect(await barcodesIn(Buffer.from(text.slice(3, -4)))).toEqual([
        'QRCode:https://example.com/?a=1&b=2',
      ]);
    },
  );

  it('a format, a size in centimetres, no text', async () => {
    const text = await html('{{ n | barcode("ean13", width=5, height=2, text=false) }}', {
      n: '5901234123457',
    });
    expect(text).toContain('width="5cm" height="2cm"');
    expect(await barcodesIn(Buffer.from(text))).toEqual(['EAN13:5901234123457']);
    expect(await barcodesIn(Buffer.from(await html('{{ 12345 | barcode }}')))).toEqual(['Code128:12345']);
  });

  it.each([
    ['{{ "abc" | barcode("ean13") }}', /only digits/],
    ['{{ "abc" | barcode("nothing") }}', /no barcode format/],
    ['{{ "abc" | barcode(colour="red") }}', /no argument colour/],
    ['{{ "abc" | qrcode("code128") }}', /takes no format/],
    ['{{ "abc" | qrcode(width=-1) }}', /centimetres/],
    ['{{ missing | qrcode }}', /data|text/],
    ['{{ none | qrcode }}', /text or a number/],
    ['{{ [1] | qrcode }}', /text or a number/],
  ])('%s: an error of the template, with its line', async (text, message) => {
    const error: unknown = await html(`\n\n${text}`).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(FillError);
    expect((error as FillError).fault).toMatchObject({ kind: 'render', line: 3 });
    expect((error as FillError).fault.message).toMatch(message);
  });
});

describe('a template with the filters', () => {
  it('is accepted when it is added, one with an unknown filter is not', async () => {
    const source = (text: string) => [{ field: 'file_data', file: 'template' as const, text }];
    await checkTemplateSyntax(source('{{ x | qrcode }} {{ x | barcode("qr") }}'), 'jinja2');
    await expect(checkTemplateSyntax(source('{{ x | qrcod }}'), 'jinja2')).rejects.toThrow(/qrcod/);
  });
});

describe('in an office document', () => {
  it('is the address of a picture, which the document then contains', async () => {
    const template = await docx(p('<image src="{{ code | qrcode }}" width="3">'));
    const files = await unzip(await fill(template, { code: 'Hello' }));
    const media = [...files].filter(([name]) => name.startsWith('word/media/'));
    expect(media.map(([name]) => name)).toEqual([expect.stringMatching(/\.png$/)]);
    expect(await barcodesIn(Buffer.from(media[0]?.[1] ?? []))).toEqual(['QRCode:Hello']);
  });
});
