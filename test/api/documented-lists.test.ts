import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { ap, pptx } from '../office/pptx.ts';
import { xlsx } from '../office/xlsx.ts';
import { type Answer, call, expectStatus, form, jsonOf, renderNow } from './client.ts';

/** The lists of the OpenAPI document that the service serves, and those of the documentation, are what it accepts. */

interface Schema {
  enum?: string[];
  properties?: Record<string, Schema>;
}
interface OpenApi {
  paths: Record<string, { parameters?: { name: string; description: string }[] }>;
  components: { schemas: Record<string, Schema> };
}

const { paths, components } = jsonOf(
  expectStatus(await call('GET', '/v1/openapi.json'), 200),
) as unknown as OpenApi;

const words = (text: string): string[] => Array.from(text.matchAll(/[a-z]\w*/g), ([word]) => word);

/** The formats that the description of `{format}` lists. */
function formatsOf(path: string): string[] {
  const { description = '' } = paths[path]?.parameters?.find(({ name }) => name === 'format') ?? {};
  const list = description.replace(/^Output format:/, '').replace(/ for a report.*$/, '');
  return words(list).filter((word) => word !== 'or');
}

const FORMATS = formatsOf('/v1/render/{format}');

/** The templates and outputs of the table in docs/rendering.md. */
const [, table = ''] = readFileSync('docs/rendering.md', 'utf8').split(
  /^\| template +\| output formats +\|\n\|[- |]+\|\n/m,
);
const TABLE = table
  .slice(0, table.indexOf('\n\n'))
  .split('\n')
  .map((row) =>
    row
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split('|')
      .slice(1, 3),
  )
  .flatMap(([templates = '', outputs = '']) =>
    words(templates).map((template) => ({ template, outputs: new Set(words(outputs)) })),
  );

let templates: Record<string, Buffer>;

async function render(format: string, file: string | Buffer, name: string): Promise<Answer> {
  return call('POST', `/v1/render/${format}`, { body: form({ file_data: [file, name], render_data: '{}' }) });
}

beforeAll(async () => {
  const written = {
    html: Buffer.from('<p><input name="a"></p>'),
    markdown: Buffer.from('# x'),
    docx: await docx(p('x')),
    xlsx: await xlsx([{ name: 'A', rows: [['x']] }]),
    pptx: await pptx([{ shapes: [ap('x')] }]),
  };
  const made = async (from: keyof typeof written, to: string): Promise<Buffer> =>
    expectStatus(await render(to, written[from], `a.${from}`), 200).bytes;
  const options = { form_fields: true };
  templates = {
    ...written,
    odt: await made('docx', 'odt'),
    ods: await made('xlsx', 'ods'),
    odp: await made('pptx', 'odp'),
    form: expectStatus(await renderNow(written.html.toString(), { options }), 200).bytes,
  };
});

it('docs/rendering.md has a row for every format of templates', () => {
  expect(TABLE.map(({ template }) => template).toSorted()).toEqual(Object.keys(templates).toSorted());
  expect([...new Set(TABLE.flatMap(({ outputs }) => [...outputs]))].toSorted()).toEqual(FORMATS.toSorted());
});

describe.each(TABLE)('a template in $template', ({ template, outputs }) => {
  const name = `a.${template === 'markdown' ? 'md' : template === 'form' ? 'pdf' : template}`;

  it.each([...outputs])('becomes %s', async (format) => {
    expectStatus(await render(format, templates[template] ?? '', name), 200);
  });

  it('becomes nothing else', async () => {
    const others = [...FORMATS, 'gif', 'tiff', 'txt', 'rtf', 'svg', 'csv', 'epub'].filter(
      (format) => !outputs.has(format),
    );
    for (const format of others) {
      const answer = await render(format, templates[template] ?? '', name);
      expect(jsonOf(answer)['code'], format).toBe('unsupported_output_format');
    }
  });
});

describe('pictures of pages', () => {
  const formats = formatsOf('/v1/pdf/image/{format}');
  const picture = async (format: string): Promise<Answer> => {
    const { bytes } = await renderNow('<p>x</p>');
    return call('POST', `/v1/pdf/image/${format}`, { body: form({ file: [bytes, 'a.pdf'] }) });
  };

  it.each(formats)('are made in %s', async (format) => void expectStatus(await picture(format), 200));

  it.each(['html', 'docx', 'xyz'])('are not made in %s', async (format) => {
    expect(formats).not.toContain(format);
    expect(jsonOf(await picture(format))['code']).toBe('image_format_unsupported');
  });
});

const OPTIONS = Object.entries(components.schemas['RenderOptions']?.properties ?? {});

describe('an option of the OpenAPI document', () => {
  const sent = (name: string, value: unknown): Promise<Answer> =>
    renderNow('<p>x</p>', { options: { [name]: value } }, 'html');
  const codeOf = (answer: Answer): unknown => (answer.status === 200 ? undefined : jsonOf(answer)['code']);

  it.each(OPTIONS)('is known: %s', async (name) => {
    const { headers } = await sent(name, { neverKnown: 1 });
    expect(headers.get('warning') ?? '').not.toContain(`unknown option render_options.${name} ignored`);
  });

  it.each(OPTIONS.filter(([, schema]) => schema.enum !== undefined))(
    'has the listed values, and no others: %s',
    async (name, { enum: allowed = [] }) => {
      for (const value of allowed) expect(codeOf(await sent(name, value)), value).not.toBe('invalid_option');
      const refused = await sent(name, 'no-such-value');
      expect(codeOf(refused)).toBe('invalid_option');
      const [fault] = jsonOf(refused)['errors'] as { allowed: string[] }[];
      expect(fault?.allowed.toSorted()).toEqual(allowed.toSorted());
    },
  );
});
