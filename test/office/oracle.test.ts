import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { docx, p, table } from './build.ts';
import { fill, paragraphs, rows } from './fill.ts';

/** The same templates filled by python-docx-template (Debian's python3-docxtpl), and the texts compared. */

const python = '/usr/bin/python3';

const PROGRAM =
  'import sys,json,docxtpl\nfor path, data in json.load(open(sys.argv[1])):\n t=docxtpl.DocxTemplate(path); t.render(data, autoescape=True); t.save(path+".out")';

const items = [
  { n: 'Pen', c: 2, p: 1.5 },
  { n: 'A & B <c>', c: 3, p: 10 },
];
const data = {
  name: 'Ann',
  items,
  yes: true,
  no: false,
  none: null,
  lines: 'a\nb\tc',
  cols: ['x', 'y', 'z'],
  f: 1.5,
};

const cases: Readonly<Record<string, string>> = {
  variables: p('Dear {{ name }}, {{ f }} {{ none }} {{ missing }} {{ yes }} {{ items[0].n }}'),
  'tags split over runs': p('{', '{ na', 'me', ' }', '}') + p('{', '% if yes %', '}', 'yes{% endif %}'),
  'curly quotes': p('{{ “a” ~ ‘b’ }} {{ name|replace(‘A’, “B”) }}'),
  'paragraphs of a loop':
    p('{%p for i in items %}') + p('{{ i.n }}: {{ i.c * i.p }}') + p('{%p endfor %}') + p('end'),
  'paragraphs of a condition':
    p('{%p if no %}') +
    p('a') +
    p('{%p elif yes %}') +
    p('b') +
    p('{%p else %}') +
    p('c') +
    p('{%p endif %}'),
  'conditions within a paragraph': p('a {% if yes %}b', ' c{% else %}d{% endif %} e'),
  'rows of a loop': table(
    ['{%tr for i in items %}', ''],
    ['{{ i.n }}', '{{ loop.index }}'],
    ['{%tr endfor %}', ''],
  ),
  'rows of two loops': table(
    ['{%tr for i in items %}', ''],
    ['{{ i.n }}', ''],
    ['{%tr for c in cols %}', ''],
    ['', '{{ c }}{{ loop.index }}'],
    ['{%tr endfor %}', ''],
    ['{%tr endfor %}', ''],
  ),
  'columns of a loop': table(['{%tc for c in cols %}', '{{ c }}', '{%tc endfor %}'], ['a', 'b', 'c']),
  'cells merged across': table(['{%tc for c in cols %}', '{% hm %}{{ c }}', '{%tc endfor %}']),
  'cells merged down': table(
    ['{%tr for c in cols %}', ''],
    ['{% vm %}{{ c }}', '{{ c }}'],
    ['{%tr endfor %}', ''],
  ),
  'cells spanned and coloured': table(['{% colspan 2 %}{{ name }}'], ['{% cellbg "ff0000" %}a', 'b']),
  'breaks of values': p('[{{ lines }}]'),
  'joined paragraphs':
    p('I live{%- if yes -%}') +
    p(' in town') +
    p('{%- else -%}') +
    p(' outside') +
    p('{%- endif %}') +
    p(' now.'),
  'joined lines': `<w:p><w:r>${[
    'I live',
    '{%- if yes -%}',
    '\u00a0in town',
    '{%- else -%}',
    ' outside',
    '{%- endif -%}',
    ' now.',
  ]
    .map((line) => `<w:t xml:space="preserve">${line}</w:t>`)
    .join('<w:br/>')}</w:r></w:p>`,
  escapes: p('{_{ a }_} {_% b %_} {{ "{{" }}'),
  comments: p('a{# no #}b') + p('{#p gone #}') + p('c'),
  filters: p(
    '{{ name|upper }} {{ items|length }} {{ items|map(attribute="n")|join(", ") }} {{ "%.2f"|format(f) }}',
  ),
  'rich text within a run': p('a {{r name }} b {{r f }} c') + p('{{r name }}z') + p('q{{r name }}'),
  'rich text within cells': table(['a {{r name }} b', '{{r name }}']),
  'set and macro': p('{% set x = 5 %}{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(x) }}{{ x + 1 }}'),
};

describe('a docx filled as python-docx-template fills it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platen-oracle-'));
  afterAll(async () => await rm(directory, { recursive: true, force: true }));
  const jobs = await Promise.all(
    Object.entries(cases).map(async ([name, body], i) => {
      const bytes = await docx(body);
      const path = join(directory, `${i}.docx`);
      await writeFile(path, bytes);
      return { name, path, bytes };
    }),
  );
  const list = join(directory, 'jobs.json');
  await writeFile(list, JSON.stringify(jobs.map(({ path }) => [path, data])));
  execFileSync(python, ['-c', PROGRAM, list]);

  it.each(jobs)('has the same text: $name', async ({ path, bytes }) => {
    const expected = await readFile(`${path}.out`);
    const filled = await fill(bytes, data);
    expect(await paragraphs(filled)).toEqual(await paragraphs(expected));
    expect(await rows(filled)).toEqual(await rows(expected));
  });
});
