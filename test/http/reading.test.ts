import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { renderOptionsSchema, templateDataSchema } from '../../packages/contract/src/options.ts';
import { readFields } from '../../packages/contract/src/reading.ts';

const schema = z.object({ render_options: renderOptionsSchema.optional() });

function options(text: string): { value: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const value = readFields(schema, new Map([['render_options', text]]), warnings).render_options;
  return { value, warnings };
}

function refusal(text: string): { code: string; message: string; faults: Record<string, unknown>[] } {
  try {
    options(text);
  } catch (error) {
    return error as ReturnType<typeof refusal>;
  }
  throw new Error('was accepted');
}

describe('options on the wire (I-6 and I-7)', () => {
  it('accepts booleans and numbers, also as text', () => {
    const text =
      '{"landscape":"1","compress":"False","keep_ratio":0,"display_header_footer":true,"scale":"1.5","margin_top":"0.25","x":2}';
    expect(options(text).value).toEqual({
      landscape: true,
      compress: false,
      keep_ratio: false,
      display_header_footer: true,
      scale: 1.5,
      margin_top: 0.25,
      x: 2,
    });
  });

  it('takes null, an empty string and an absent field for "not given"', () => {
    expect(options('{"scale":null,"paper_format":"","date_locale":null}').value).toEqual({});
    expect(options('null').value).toBeUndefined();
    expect(options('').value).toBeUndefined();
  });

  it('accepts the aliases, and the real name takes precedence', () => {
    expect(options('{"background":false,"width":3,"height":"4"}').value).toEqual({
      print_background: false,
      w: 3,
      h: 4,
    });
    expect(options('{"background":false,"print_background":true}').value).toEqual({ print_background: true });
  });

  it('ignores an unknown option and warns with the nearest known one', () => {
    const { value, warnings } = options('{"papr_format":"A5","scale":1}');
    expect(value).toEqual({ scale: 1 });
    expect(warnings).toEqual([
      'unknown option render_options.papr_format ignored; the nearest known one is paper_format',
    ]);
  });

  it.each(['pdfa', 'dpi', 'mode', 'opacity', 'z'])(
    'gives no hint where no known name is near: %s',
    (name) => {
      expect(options(`{"${name}":1}`).warnings).toEqual([`unknown option render_options.${name} ignored`]);
    },
  );

  it.each([
    ['marginTop', 'margin_top'],
    ['Landscape', 'landscape'],
    ['backgroud', 'background'],
    ['scal', 'scale'],
  ])('gives a hint where a known name is near: %s', (name, near) => {
    expect(options(`{"${name}":1}`).warnings[0]).toMatch(new RegExp(`the nearest known one is ${near}$`));
  });

  it('refuses more names than there are options, before it reads them', () => {
    const many = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, 1])));
    expect(options(many(1_000)).warnings).toHaveLength(1_000);
    expect(refusal(many(200_000))).toMatchObject({
      code: 'invalid_option',
      message: 'render_options has 200000 members, but at most 1000 are read.',
    });
    const cost = (count: number): number => {
      const before = process.cpuUsage();
      for (let i = 0; i < 20; i += 1) options(many(count));
      return process.cpuUsage(before).user;
    };
    cost(100);
    const [few, all] = [cost(100), cost(1_000)];
    expect(all).toBeLessThan(Math.max(few, 2_000) * 40);
  });

  it('refuses more levels than it can show in an error, and lists that take too long to check', () => {
    const fields = z.object({ data: z.record(z.string(), z.unknown()), splits: z.array(z.int()) });
    const read = (name: string, text: string) => (): unknown =>
      readFields(fields.partial(), new Map([[name, text]]), []);
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(read('data', nested(500))).not.toThrow();
    const tooDeep = {
      code: 'malformed_json',
      message: 'data is not valid JSON: it has more than 500 levels',
    };
    expect(read('data', nested(501))).toThrow(expect.objectContaining(tooDeep));
    expect(read('data', '[{"a":'.repeat(100_000))).toThrow(expect.objectContaining(tooDeep));
    // Brackets in texts are no levels, nor are those of members side by side.
    expect(read('data', `{"a":"${'['.repeat(501)}\\"","b":[${'[{}],'.repeat(501)}0]}`)).not.toThrow();
    const zeros = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
    expect(read('splits', zeros(50_000))).not.toThrow();
    expect(read('splits', zeros(50_001))).toThrow(
      expect.objectContaining({
        code: 'invalid_field',
        message: 'splits has 50001 elements, but at most 50000 are read.',
      }),
    );
  });

  it('reads the numbers that Python writes, and reports the allowed values of an option', () => {
    expect(refusal('{"scale":NaN}').message).toBe(
      'render_options.scale is "NaN", but must be a number from 0.1 to 2.',
    );
    expect(refusal('{"scale":-Infinity}').message).toContain('render_options.scale is "-Infinity"');
    expect(refusal('{"scale":nan}').code).toBe('malformed_json');
  });

  it.each([
    ['{"scale":3}', 'render_options.scale', 3, 'a number from 0.1 to 2'],
    ['{"scale":"big"}', 'render_options.scale', 'big', 'a number from 0.1 to 2'],
    ['{"landscape":"maybe"}', 'render_options.landscape', 'maybe', 'true or false'],
    ['{"margin_left":-1}', 'render_options.margin_left', -1, 'a length from 0 to 100'],
    [
      '{"background_color":[1,2,300]}',
      'render_options.background_color[2]',
      300,
      'a whole number from 0 to 255',
    ],
    ['{"w":0}', 'render_options.w', 0, 'a length above 0 and up to 200'],
  ])('refuses %s and names the option, the value and the allowed ones', (text, field, value, allowed) => {
    const error = refusal(text);
    expect(error.code).toBe('invalid_option');
    expect(error.message).toContain(`${field} is ${JSON.stringify(value)}, but must be ${allowed}`);
    expect(error.faults).toMatchObject([{ field, value }]);
  });

  it('lists the papers when one is unknown', () => {
    expect(refusal('{"paper_format":"B5"}').message).toContain('one of Letter, Legal, Tabloid, Ledger, A0');
  });

  it('refuses a list or a text instead of an object', () => {
    expect(refusal('[1]').code).toBe('invalid_option');
    expect(refusal('{"scale":').code).toBe('malformed_json');
  });
});

describe('template_data on the wire (I-8 and "Clients in the field")', () => {
  const fields = z.object({ template_data: templateDataSchema });
  const read = (text: string, warnings: string[] = []) =>
    readFields(fields, new Map([['template_data', text]]), warnings);

  it('accepts template_data of existing clients and ignores their own fields without a warning', () => {
    const warnings: string[] = [];
    const { template_data } = read(
      '{"id":"x","number":3,"timestamp":"t","template_name":"n","template_id":"i","name":"fastpdf-document","format":"html","title_header_enabled":false}',
      warnings,
    );
    expect(template_data).toEqual({ name: 'fastpdf-document', format: 'html', title_header_enabled: false });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['{"format":"html"}', 'template_data.name'],
    ['{"name":"","format":"html"}', 'template_data.name'],
    ['{"name":"a"}', 'template_data.format'],
  ])('refuses %s: %s is missing', (text, field) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'missing_field', message: `${field} is missing.` }),
    );
  });

  it('refuses an unknown format and lists the formats', () => {
    expect(() => read('{"name":"a","format":"rtf"}')).toThrow(
      /one of docx, html, markdown, odt, ods, odp, pdf, pptx, xlsx/,
    );
  });
});

describe('fields with names of the caller’s own', () => {
  const fields = z.object({
    permissions: z.record(z.string(), z.boolean()).optional(),
    metadata: z.record(z.string(), z.string().nullable()).optional(),
  });
  const read = (name: string, text: string): unknown => readFields(fields, new Map([[name, text]]), []);

  it('have values that are read like those of any field (I-6), and null if it has a meaning', () => {
    expect(read('permissions', '{"print":"false","copy":1}')).toEqual({
      permissions: { print: false, copy: true },
    });
    expect(read('metadata', '{"Title":null,"Author":"","Subject":7}')).toEqual({
      metadata: { Title: null, Author: '', Subject: '7' },
    });
  });

  it('are named in errors, with the allowed values', () => {
    expect(() => read('permissions', '{"print":"maybe"}')).toThrow(
      'permissions.print is "maybe", but must be true or false.',
    );
    expect(() => read('permissions', '[1]')).toThrow('permissions is [1], but must be a JSON object.');
  });
});
