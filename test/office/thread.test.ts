import { describe, expect, it } from 'vitest';
import { checkOfficeTemplate, fillOffice, type OfficeFillJob } from '../../packages/office/src/index.ts';
import { docx, p, table } from './build.ts';
import { paragraphs } from './fill.ts';
import { odf } from './odf.ts';

/** The limits of strangers' templates, and the words in which faults are told. */

function job(bytes: Uint8Array, data: string): OfficeFillJob {
  return { format: 'docx', bytes, engine: 'jinja2', data, images: new Map() };
}

describe('filling in a thread', () => {
  it('returns the document, for each engine', async () => {
    const bytes = await docx(p('{{ a | upcase }}'));
    const filled = await fillOffice({ ...job(bytes, '{"a":"<x>"}'), engine: 'liquid' });
    expect(await paragraphs(filled)).toEqual(['<X>']);
    const json = await docx(p('{{ a|tojson }}'));
    const flask = await fillOffice({ ...job(json, '{"a":"<x>"}'), engine: 'flask' });
    expect(await paragraphs(flask)).toEqual(['"\\u003cx\\u003e"']);
  });

  it('ends a template that never ends, and one that uses too much memory', async () => {
    const endless = await docx(
      p('{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}'),
    );
    await expect(fillOffice(job(endless, '{}'))).rejects.toMatchObject({ code: 'template_budget' });
    const rows = table(
      ['{%tr for i in range(99999) %}'],
      Array.from({ length: 60 }, () => 'x'.repeat(200)),
      ['{%tr endfor %}'],
    );
    const swelling = fillOffice(job(await docx(rows), '{}'), { limits: { timeout: 8000 } });
    const code = expect.stringMatching(/^(template_budget|deadline_exceeded)$/) as string;
    await expect(swelling).rejects.toMatchObject({ code });
  });

  it('ends a job after its request was aborted, and the next one succeeds', async () => {
    const bytes = await docx(
      p('{% for i in range(99999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}'),
    );
    const gone = new AbortController();
    const filling = fillOffice(job(bytes, '{}'), { signal: gone.signal });
    setTimeout(() => gone.abort(new Error('gone')), 20);
    await expect(filling).rejects.toThrow(/gone|template_budget|steps/);
    const next = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => await fillOffice(job(await docx(p('{{ i }}')), `{"i":${i}}`)),
      ),
    );
    const texts = await Promise.all(next.map(async (one) => await paragraphs(one)));
    expect(texts.flat()).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });

  it('names the type of data that are not an object', async () => {
    const bytes = await docx(p('{{ a }}'));
    await expect(fillOffice(job(bytes, '[1]'))).rejects.toMatchObject({ code: 'render_data_invalid' });
  });

  it('refuses a file that is damaged, and a part that is not well-formed', async () => {
    const bytes = await docx(p('{{ a }}'));
    await expect(fillOffice(job(bytes.subarray(0, 900), '{}'))).rejects.toMatchObject({
      code: 'office_file_damaged',
    });
    const broken = await docx('<w:p>{</w:q>');
    await expect(fillOffice(job(broken, '{}'))).rejects.toMatchObject({
      code: 'office_file_damaged',
      message: expect.stringContaining('word/document.xml') as string,
    });
  });

  it('ends a template in Liquid that doubles a text, or nests without end', async () => {
    const doubling =
      '{% capture s %}a{% endcapture %}{% for i in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s | size }}';
    const deep = `${'{% if a %}'.repeat(20_000)}x${'{% endif %}'.repeat(20_000)}`;
    for (const text of [doubling, deep]) {
      const filling = fillOffice({ ...job(await docx(p(text)), '{"a":1}'), engine: 'liquid' });
      const code = expect.stringMatching(/^template_(budget|syntax)$/) as string;
      await expect(filling).rejects.toMatchObject({ code });
    }
  });

  it('refuses a paragraph that grows too large', async () => {
    const spaces = `<text:p>{{ a }}${'<text:s text:c="9999"/>'.repeat(60_000)}</text:p>`;
    const odt: OfficeFillJob = { ...job(await odf('odt', spaces), '{}'), format: 'odt' };
    await expect(fillOffice(odt)).rejects.toMatchObject({
      code: 'template_syntax',
      faults: [{ file: 'content.xml', line: 1 }],
    });
  });

  it('refuses an element of attributes or prefixes without end soon', async () => {
    const many = (name: (i: number) => string): string =>
      Array.from({ length: 100_000 }, (_, i) => ` ${name(i)}="urn:${i}"`).join('');
    for (const [attributes, words] of [
      [many((i) => `a${i}`), /more than 10000 attributes/],
      [many((i) => `xmlns:p${i}`).slice(0, 200_000), /more than 500 prefixes/],
    ] as const) {
      const body = `<w:p${attributes.replace(/ [^ ]*$/, '')}><w:r><w:t>{{ a }}</w:t></w:r></w:p>`;
      await expect(fillOffice(job(await docx(body), '{"a":1}'))).rejects.toMatchObject({
        code: 'office_file_damaged',
        message: expect.stringMatching(words) as string,
      });
    }
  }, 10_000);

  it('expands no entity', async () => {
    const bytes = await docx('<w:p><w:r><w:t>{{ a }}&xxe;</w:t></w:r></w:p>');
    await expect(fillOffice(job(bytes, '{}'))).rejects.toMatchObject({ code: 'office_file_damaged' });
  });
});

describe('checking a template', () => {
  it('accepts one that parses, with any variables', async () => {
    const bytes = await docx(
      p('{{ a.b.c(1) }}') + table(['{%tr for x in y %}'], ['{{ x }}'], ['{%tr endfor %}']),
    );
    await expect(checkOfficeTemplate(bytes, 'docx')).resolves.toEqual([]);
  });

  it('names part, paragraph and tag of a syntax error', async () => {
    const cases: [body: string, paragraph: number, words: RegExp][] = [
      [p('a') + p('{{ a b }}'), 2, /expected token/],
      [p('a') + p('b') + p('{{ a'), 3, /not closed/],
      [p('a') + p('{% for x in y %}') + p('{{ x }}'), 2, /Unexpected end of template|endfor/],
      [p('{%tr for x in y %}'), 1, /not in one/],
      [p('{{ a }}') + p('{{ a|nosuch }}'), 2, /nosuch/],
    ];
    for (const [body, line, words] of cases) {
      await expect(checkOfficeTemplate(await docx(body), 'docx')).rejects.toMatchObject({
        code: 'template_syntax',
        message: expect.stringMatching(words) as string,
        faults: [{ file: 'word/document.xml', line }],
      });
    }
  });

  it('reports where a template fails with the given data', async () => {
    const bytes = await docx(p('a') + p('{{ a.b.c }}'));
    await expect(fillOffice(job(bytes, '{}'))).rejects.toMatchObject({
      code: 'template_render',
      faults: [{ file: 'word/document.xml', line: 2, source: '{{ a.b.c }}' }],
    });
  });

  it('refuses a block that ends inside an element in which it does not begin', async () => {
    const bytes = await docx(p('{% if a %}x') + table([p('y{% endif %}'), 'z']));
    await expect(fillOffice(job(bytes, '{"a": false}'))).rejects.toMatchObject({ code: 'template_syntax' });
  });
});
