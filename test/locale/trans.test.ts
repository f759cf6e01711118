import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parsePo } from '@platen/locale/po';
import { JinjaFiller } from '@platen/templating/jinja';
import { expect, it } from 'vitest';

/** I-41: `{% trans %}` and its functions with catalogues of several plurals, beside Jinja2's extension with Babel's. */

const ENGINES = ['jinja2', 'flask'] as const;

/** Plural-Forms as catalogues of these languages have them, and how many there are. */
const LANGUAGES: Readonly<Record<string, readonly [forms: number, rule: string]>> = {
  ja: [1, '0'],
  de: [2, 'n != 1'],
  fr: [2, 'n > 1'],
  pl: [3, 'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2'],
  ru: [3, 'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2'],
  ar: [6, 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5'],
};

const TEMPLATES: readonly string[] = [
  '{% trans %}plain{% endtrans %} {% trans %}unknown{% endtrans %}',
  '{% trans %}untranslated{% endtrans %}, {% trans %}fuzzy{% endtrans %}',
  '{% trans n=n %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %}',
  '{% trans count=n %}{{ count }} file of {{ name }}{% pluralize %}{{ count }} files of {{ name }}{% endtrans %}',
  '{% trans name, n=n %}{{ name }}: one{% pluralize n %}{{ name }}: {{ n }}{% endtrans %}',
  '{% trans "menu" %}open{% endtrans %} {% trans %}open{% endtrans %} {% trans "door" %}open{% endtrans %}',
  '{% trans "shop" n=n %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %}',
  '{% trans trimmed %}\n  over\n  lines\n{% endtrans %}|{% trans notrimmed %} over\nlines {% endtrans %}',
  '{% trans user=user.name %}Hello {{ user }}!{% endtrans %}',
  '{% trans name=name|upper %}Hello {{ name }}!{% endtrans %}',
  '{% trans %}100% of {{ name }} %(no)s{% endtrans %}',
  '{% trans %}100%{% endtrans %}',
  '{% trans name=html %}Hello {{ name }}!{% endtrans %}',
  '{% trans name=html|safe %}Hello {{ name }}!{% endtrans %}',
  '{{ _("plain") }} {{ gettext("plain") }} {{ _("<b>") }}',
  '{{ ngettext("%(num)s thing", "%(num)s things", n)|replace("%(num)s", "N") }}',
  '{{ pgettext("menu", "open") }} {{ npgettext("shop", "%(n)s item", "%(n)s items", n)|replace("%(n)s", "N") }}',
  '{% for n in [0, 1, 2, 3, 5, 11, 21, 101] %}{% trans n=n %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %};{% endfor %}',
  '{% set name = "set" %}{% trans %}Hello {{ name }}!{% endtrans %}',
  '{% macro m(name) %}{% trans %}Hello {{ name }}!{% endtrans %}{% endmacro %}{{ m("macro") }}',
  '{% trans missing %}Hello {{ missing }}!{% endtrans %}',
  '{% if _("plain") == "plain" %}same{% else %}other{% endif %} {{ _("plain")|length }}',
];

function poOf(language: string): string {
  const [forms, rule] = LANGUAGES[language] ?? [1, '0'];
  const plural = (one: string, several: string, context?: string): string =>
    `${context === undefined ? '' : `msgctxt "${context}"\n`}msgid "${one}"\nmsgid_plural "${several}"\n${Array.from(
      { length: forms },
      (_, form) => `msgstr[${form}] "${language}${context ?? ''}${form} ${several}"\n`,
    ).join('')}\n`;
  const one = (text: string, translated = `${language} ${text}`, context?: string): string =>
    `${context === undefined ? '' : `msgctxt "${context}"\n`}msgid "${text}"\nmsgstr "${translated}"\n\n`;
  return (
    `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: ${language}\\n"\n"Plural-Forms: nplurals=${forms}; plural=(${rule});\\n"\n\n` +
    one('plain') +
    one('untranslated', '') +
    `#, fuzzy\n${one('fuzzy')}` +
    one('open') +
    one('open', `${language} menu`, 'menu') +
    one('over lines') +
    one('Hello %(name)s!') +
    one('Hello %(user)s!') +
    one('100%% of %(name)s %%(no)s') +
    one('100%%') +
    one('100%') +
    one('<b>') +
    plural('%(n)s item', '%(n)s items') +
    plural('%(n)s item', '%(n)s items', 'shop') +
    plural('%(count)s file of %(name)s', '%(count)s files of %(name)s') +
    plural('%(name)s: one', '%(name)s: %(n)s') +
    plural('%(num)s thing', '%(num)s things')
  );
}

it('equal the results of Jinja2 with the same catalogues, in both dialects', async () => {
  const cases = ENGINES.flatMap((engine) =>
    Object.keys(LANGUAGES).flatMap((language) =>
      TEMPLATES.flatMap((template) =>
        [0, 1, 2, 5, 21].map((n) => {
          const data = { n, name: 'Ada', html: '<i>&</i>', user: { name: 'Grace' } };
          return { engine, language, template, po: poOf(language), data };
        }),
      ),
    ),
  );
  const { status, stdout, stderr } = spawnSync(
    '/usr/bin/python3',
    [path.join(import.meta.dirname, 'trans_oracle.py')],
    {
      input: JSON.stringify(cases),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, PYTHONPATH: path.resolve('node_modules/.cache/platen/python') },
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  const expected = JSON.parse(stdout) as ({ text: string } | { fault: string })[];
  const filler = new JinjaFiller({});
  const differences: unknown[] = [];
  for (const [index, { engine, language, template, po, data }] of cases.entries()) {
    const catalogue = JSON.stringify(parsePo(Buffer.from(po)));
    const ours = await filler
      .fill(engine, {
        engine,
        sources: [{ file: 'template', text: template }],
        data: JSON.stringify(data),
        defaults: {},
        language: { locale: language, catalogues: [{ key: catalogue, data: catalogue }] },
      })
      .then(({ texts }) => ({ text: texts.join('') }))
      .catch((error: unknown) => ({ fault: String(error) }));
    const wanted = expected[index] ?? { fault: 'no answer' };
    const isSame =
      'text' in ours && 'text' in wanted ? ours.text === wanted.text : 'fault' in ours === 'fault' in wanted;
    if (!isSame) differences.push({ engine, language, template, n: data.n, ours, wanted });
  }
  expect(differences).toEqual([]);
  expect(expected.filter((answer) => 'text' in answer).length).toBeGreaterThan(1_000);
});
