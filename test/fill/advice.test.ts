import { afterAll, describe, expect, it } from 'vitest';
import { warningOfOtherTags } from '../../functions/render/html/other-tags.ts';
import { Filler } from '../../functions/render/texts/filler.ts';
import { docx, p } from '../office/build.ts';
import { fill } from '../office/fill.ts';

/** Errors of Jinja2 say what the author of a template for JSON data can do. */

const filler = new Filler({ timeout: 30_000 });
afterAll(() => filler.close());
const data = { order: { lines: { values: [1] } }, invoice: { items: [{ name: 'a' }] }, day: '2026-11-27' };
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
    ['{% for l in order.lines.values %}{% endfor %}', "write order.lines['values'] for the member"],
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
    [text('Dear <<', 'name', '>>,'), '<<name>>', 'a field of a mail merge', '{{ name }}'],
    [text('Dear {na', 'me}'), '{name}', 'a tag of docxtemplater', '{{ name }}'],
    [text('{/items}'), '{/items}', 'a tag of docxtemplater', '{% endfor %} or {% endif %}'],
    [text('{^items}'), '{^items}', 'a tag of docxtemplater', '{% if not items %} … {% endif %}'],
    [text('{d.customer.name}'), '{d.customer.name}', 'a tag of Carbone', '{{ customer.name }}'],
    [text('{d.day:formatD(L)}'), '{d.day:formatD(L)}', 'a tag of Carbone', '{{ day }}'],
    [text('${customer.name}'), '${customer.name}', 'a tag of PHPWord or FreeMarker', '{{ customer.name }}'],
    [text('[[name]]'), '[[name]]', 'a tag in square brackets', '{{ name }}'],
    [text('+++INS name+++'), '+++INS name', 'a command of docx-templates', '{{ name }}'],
    [
      text('+++FOR item+++'),
      '+++FOR item',
      'a command of docx-templates',
      '{% for item in items %} … {% endfor %}',
    ],
    [text('<%= name %>'), '<%= name %>', 'a tag of EJS or ERB', '{{ name }}'],
    [
      '<w:p><w:fldSimple w:instr=" MERGEFIELD Name "/></w:p>',
      'MERGEFIELD Name',
      'a merge field of Word',
      '{{ Name }}',
    ],
  ])('%s', async (body, found, is, jinja) => {
    const warnings: string[] = [];
    await fill(await docx(body), {}, { warn: (words) => warnings.push(words) });
    expect(warnings).toEqual([
      `The template has no tags, but ${found} (word/document.xml) looks like ${is}: write ${jinja}; the templating engine "none" fills nothing`,
    ]);
  });

  it.each([
    ['<p>Dear {d.name},', '{d.name}', 'a tag of Carbone', '{{ name }}'],
    [
      '<!-- {x} --><style>a{b}</style><p>{/items}',
      '{/items}',
      'a tag of docxtemplater',
      '{% endfor %} or {% endif %}',
    ],
    ['# Dear ${name}', '${name}', 'a tag of PHPWord or FreeMarker', '{{ name }}'],
    ['<p><%= name %></p>', '<%= name %>', 'a tag of EJS or ERB', '{{ name }}'],
  ])('in html and markdown: %s', (html, found, is, jinja) => {
    expect(warningOfOtherTags(html)).toBe(
      `The template has no tags, but ${found} (template) looks like ${is}: write ${jinja}; the templating engine "none" fills nothing`,
    );
  });

  it.each([
    [
      'scripts, styles, comments and code',
      '<script>f(`${a}`);import {b} from "c"</script><style>x{y}</style><!-- {z} --><pre>{d.a}</pre> <code>{a}</code>',
    ],
    ['code of markdown', 'Write `{name}`, or\n```\n${name}\n```\n'],
    ['a script without an end', '<p>x<script>const a = {b}'],
    ['attributes', '<a href="/{name}">x</a>'],
    ['a template that has tags', '<p>{{ day }} {name}'],
    ['no tags at all', '<p>{1, 2} {} [[1]] 100%'],
  ])('no warning in html for %s', (_, html) => {
    expect(warningOfOtherTags(html)).toBeNull();
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
