import { afterAll, describe, expect, it } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import { docx, p } from '../office/build.ts';
import { fill } from '../office/fill.ts';

/** Errors of Jinja2 say what the author of a template for JSON data can do. */

const filler = new Filler({ timeout: 30_000 });
afterAll(() => filler.close());
const data = { invoice: { items: [{ name: 'a' }] }, day: '2026-11-27' };
const MEMBER = "write invoice['items'] for the member of the data";

describe.each([
  [
    'html',
    async (text: string): Promise<unknown> =>
      await filler.fill({
        engine: 'jinja2',
        sources: [{ file: 'template', text }],
        data: JSON.stringify(data),
        defaults: {},
      }),
  ],
  ['docx', async (text: string): Promise<unknown> => await fill(await docx(p(text)), data)],
])('in %s', (_, render) => {
  it.each([
    ['{% for l in invoice.items %}{{ l.name }}{% endfor %}', MEMBER],
    ['{{ invoice.items[0].name }}', MEMBER],
    ['{{ invoice.items|length }}', MEMBER],
    ['{{ day.strftime("%d") }}', 'a date in the data is a text: use format_date'],
  ])('%s', async (template, advice) => {
    await expect(render(template)).rejects.toMatchObject({
      code: 'template_render',
      message: expect.stringContaining(advice) as string,
    });
  });

  it.each([
    ['{{ }}', 'the tag is empty'],
    ['{{ first name }}', 'a name is one word: {{ first_name }}'],
    ['{{ Kunde Straße | upper }}', 'a name is one word: {{ Kunde_Straße }}'],
    ['{{#each items}} x {{/each}}', 'a tag of Handlebars or Mustache'],
    ['{{ $name }}', 'a name begins with a letter'],
    ['{{ .Name }}', 'a name begins with a letter'],
    ['{{ if day }}x{{ end }}', 'a statement stands between {% and %}'],
    ['{{ day ? 1 : 2 }}', 'a choice is {{ a if name else b }}'],
    ['{{ day ?? 1 }}', 'the operators are and, or'],
    ['{{ day === 1 }}', 'the operators are and, or'],
    ['{{ day | date: "%Y" }}', 'the templating engine "liquid"'],
    ['{% foreach x in invoice %}{% endforeach %}', 'a loop is {% for item in items %}'],
    ['{% assign x = 1 %}', 'a tag of Liquid'],
    ['{% if day %}a{% elsif day %}b{% endif %}', 'a further condition is {% elif name %}'],
  ])('%s', async (template, advice) => {
    await expect(render(template)).rejects.toMatchObject({
      code: 'template_syntax',
      message: expect.stringContaining(advice) as string,
    });
  });

  it('names what a hyphen does', async () => {
    await expect(render('{{ first-name }}')).rejects.toThrow(
      "'first' is undefined; a hyphen subtracts, so that a name has none: first_name",
    );
  });

  it('adds nothing to errors that say it all', async () => {
    await expect(render('{{ day | nothing }}')).rejects.toThrow(/No filter named 'nothing'\.?$/);
  });
});

describe('documents of other template languages', () => {
  const text = (...texts: string[]): string => p(...texts);

  it.each([
    ['<<name>>', text('Dear <<', 'name', '>>,'), '<<name>>'],
    ['{name}', text('Dear {na', 'me}'), '{name}'],
    ['{#items}', text('{/items}'), '{/items}'],
    ['${name}', text('${customer.name}'), '${customer.name}'],
    ['[[name]]', text('[[name]]'), '[[name]]'],
    ['+++INS name+++', text('+++INS name+++'), '+++INS name'],
    ['<%= name %>', text('<%= name %>'), '<%= name %>'],
    ['a merge field', '<w:p><w:fldSimple w:instr=" MERGEFIELD Name "/></w:p>', 'MERGEFIELD Name'],
  ])('%s', async (_, body, found) => {
    const warnings: string[] = [];
    await fill(await docx(body), {}, { warn: (words) => warnings.push(words) });
    expect(warnings).toEqual([
      `The template has no tags, but a text that may be one of another template language: ${found} (word/document.xml); a tag is {{ name }}, and the templating engine "none" fills nothing`,
    ]);
  });

  it.each([
    ['other brackets', text('«Ромашка» {1, 2} {} [1] [[1]] a << b >> c, C++++ 100%')],
    ['a document that has tags', text('{{ day }} {name}')],
  ])('no warning for %s', async (_, body) => {
    const warnings: string[] = [];
    await fill(await docx(body), data, { warn: (words) => warnings.push(words) });
    expect(warnings).toEqual([]);
  });

  it('a loop of docxtemplater that opens a comment', async () => {
    await expect(fill(await docx(text('{#items}{name}{/items}')), data)).rejects.toThrow(
      'if this is a tag of docxtemplater, a loop is',
    );
  });
});
