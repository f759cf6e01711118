import { describe, expect, it } from 'vitest';
import { JinjaFiller } from '@platen/templating/jinja';
import { LiquidFiller } from '@platen/templating/liquid';
import { FillError, type RenderLanguage, type TemplatingEngine } from '@platen/templating/protocol';
import { parsePo } from '@platen/locale/po';
import { parsePluralRule } from '../../packages/locale/src/plural.ts';
import { prepareDocument } from '@platen/print/page';

/** I-41: languages in templates. That the filters are Babel's is in babel.test.ts. */

const jinja = new JinjaFiller({});
const liquid = new LiquidFiller({ parse: 100_000, time: 10_000, memory: 1e7, output: 1e6 });

interface ReceivedRequest {
  data?: object;
  engine?: TemplatingEngine;
  language?: RenderLanguage;
}

async function filled(
  text: string,
  { data = {}, engine = 'jinja2', language }: ReceivedRequest = {},
): Promise<string> {
  const sources = [{ file: 'template' as const, text }];
  const job = { engine, sources, data: JSON.stringify(data), defaults: {}, language };
  return (engine === 'liquid' ? await liquid.fill(job) : await jinja.fill(engine, job)).texts.join('');
}

const inLocale = (locale: string): RenderLanguage => ({ locale, catalogues: [] });

async function faultOf(text: string, asked: ReceivedRequest = {}): Promise<string> {
  const error: unknown = await filled(text, asked).catch((fault: unknown) => fault);
  return error instanceof FillError ? error.fault.message : `no fault: ${String(error)}`;
}

describe('filters', () => {
  it('follow the locale of the rendering, English without one, also where the value is a constant', async () => {
    const text = "{{ 1234.5 | format_decimal }} {{ '2026-03-05' | format_date('long') }}";
    expect(await filled(text)).toBe('1,234.5 March 5, 2026');
    expect(await filled(text, { language: inLocale('de-DE') })).toBe('1.234,5 5. März 2026');
    expect(await filled(text)).toBe('1,234.5 March 5, 2026');
  });

  it.each([
    ['jinja2', "{{ total | format_currency('EUR') }}"],
    ['jinja2', "{{ total | currencyformat('EUR', locale='de_AT') }}"],
    ['flask', "{{ total | format_currency('EUR', format_type='name') }}"],
    ['liquid', "{{ total | format_currency: 'EUR' }}"],
    ['liquid', "{{ total | currencyformat: 'EUR', locale: 'de_AT' }}"],
  ] as const)('%s: %s', async (engine, text) => {
    const out = await filled(text, { data: { total: 1234.5 }, engine, language: inLocale('de-AT') });
    expect(out).toBe(engine === 'flask' ? '1\u00a0234,50 Euro' : '€\u00a01.234,50');
  });

  it('amounts are exact: texts that are numbers keep their digits, and halves are rounded to even', async () => {
    expect(await filled("{{ '12345678901234567890.125' | format_decimal('#,##0.00') }}")).toBe(
      '12,345,678,901,234,567,890.12',
    );
  });

  it('digits are Latin unless the locale has others', async () => {
    const text = "{{ 1234.5 | format_decimal }} {{ '2026-03-05' | format_date('yyyy') }}";
    expect(await filled(text, { language: inLocale('ar-EG') })).toBe('1,234.5 2026');
    expect(await filled(text, { language: inLocale('ar-EG-u-nu-arab') })).toBe('١٬٢٣٤٫٥ ٢٠٢٦');
  });

  it('zones: that of the value, or another one', async () => {
    const text = "{{ at | format_datetime('yyyy-MM-dd HH:mm xxx'ZONE) }}";
    const data = { at: '2026-07-01T23:30:00+02:00' };
    expect(await filled(text.replace('ZONE', ''), { data })).toBe('2026-07-01 23:30 +02:00');
    expect(await filled(text.replace('ZONE', ", tzinfo='Asia/Tokyo'"), { data })).toBe(
      '2026-07-02 06:30 +09:00',
    );
    expect(await filled(text.replace('ZONE', ", timezone='UTC'"), { data })).toBe('2026-07-01 21:30 +00:00');
  });

  it.each([
    ['{{ 21116 | spell_out }}', 'en', 'twenty-one thousand one hundred sixteen'],
    ['{{ 21116 | spell_out }}', 'es-MX', 'veintiún mil ciento dieciséis'],
    ['{{ -3.05 | spell_out }}', 'de', 'minus drei komma null fünf'],
    ['{{ 71 | spell_out }}', 'fr-CH', 'septante et un'],
    ['{{ 1234567 | spell_out }}', 'it', 'un milione duecentotrentaquattromilacinquecentosessantasette'],
    ["{{ 8 | spell_out(locale='uk') }}", 'en', 'вісім'],
    ['{{ 12 | spell_out }}', 'ja', '十二'],
  ])('%s in %s: %s', async (text, locale, words) => {
    expect(await filled(text, { language: inLocale(locale) })).toBe(words);
    expect(
      await filled(text.replace(/\((.*)\)/, ': $1').replace('=', ': '), {
        engine: 'liquid',
        language: inLocale(locale),
      }),
    ).toBe(words);
  });

  it.each([
    ['{{ 5 | spell_out }}', 'sv', /knows these languages: cs, de, en/],
    ["{{ 5 | format_currency('euro') }}", 'en', /no code of a currency/],
    ["{{ 'soon' | format_date }}", 'en', /ISO 8601/],
    ["{{ '2026-01-01T10:00:00+99:00' | format_datetime('full') }}", 'en', /ISO 8601/],
    ['{{ none | format_date }}', 'en', /needs a date or time, not NoneType/],
    ["{{ '2026-02-30' | format_date }}", 'en', /ISO 8601/],
    ["{{ 'x' | format_decimal }}", 'en', /no number/],
    ["{{ '1e999' | format_decimal }}", 'en', /too many digits/],
    ["{{ 5 | format_decimal(locale='xx') }}", 'en', /no locale that is known/],
    ["{{ '2026-01-01' | format_date('QQQ') }}", 'en', /quarters/],
    ["{{ '2026-01-01' | format_date('MMMMMM') }}", 'en', /no field MMMMMM/],
    ["{{ '2026-01-01' | format_datetime(tzinfo='Mars/Base') }}", 'en', /no time zone/],
    ["{{ 5 | format_decimal('#,##0', 'de', true, true, 'latn', 1) }}", 'en', /positional arguments/],
  ])('%s in %s is an error with the reason', async (text, locale, message) => {
    expect(await faultOf(text, { language: inLocale(locale) })).toMatch(message);
  });
});

const GERMAN = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Invoice"
msgstr "Rechnung"

msgid "%(n)s item"
msgid_plural "%(n)s items"
msgstr[0] "%(n)s Posten"
msgstr[1] "%(n)s Posten (mehrere)"

msgctxt "month"
msgid "May"
msgstr "Mai"

#, fuzzy
msgid "Total"
msgstr "Vielleicht Summe"

msgid "Hello %(name)s, 100%% sure"
msgstr "Hallo %(name)s, 100%% sicher"
`;
const AUSTRIAN = `msgid ""
msgstr "Plural-Forms: nplurals=2; plural=n != 1;\\n"

msgid "January"
msgstr "Jänner"
`;

function catalogue(po: string): { key: string; data: string } {
  const data = JSON.stringify(parsePo(Buffer.from(po)));
  return { key: data, data };
}

describe('translations', () => {
  const language = { locale: 'de-AT', catalogues: [catalogue(AUSTRIAN), catalogue(GERMAN)] };

  it.each([
    [
      "{% trans %}Invoice{% endtrans %} {{ _('January') }} {{ gettext('Invoice') }}",
      'Rechnung Jänner Rechnung',
    ],
    ['{% trans n=1 %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %}', '1 Posten'],
    ['{% trans n=3 %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %}', '3 Posten (mehrere)'],
    ["{{ ngettext('%(n)s item', '%(n)s items', 3) % {'n': 3} }}", '3 Posten (mehrere)'],
    ["{{ pgettext('month', 'May') }} {{ _('May') }}", 'Mai May'],
    ["{% trans 'month' %}May{% endtrans %}", 'Mai'],
    ["{% trans name='Ada' %}Hello {{ name }}, 100% sure{% endtrans %}", 'Hallo Ada, 100% sicher'],
    ['{% trans trimmed %}\n  Invoice\n{% endtrans %}', 'Rechnung'],
    ["{{ _('Total') }}", 'Total'],
  ])('%s', async (text, expected) => {
    expect(await filled(text, { language })).toBe(expected);
  });

  it('flask: the functions fill in variables, and escape them', async () => {
    const text = "{{ _('Hello %(name)s, 100%% sure', name='<b>') }}";
    expect(await filled(text, { engine: 'flask', language })).toBe('Hallo &lt;b&gt;, 100% sicher');
  });

  it('without translations the original texts are used', async () => {
    expect(
      await filled("{% trans n=2 %}{{ n }} item{% pluralize %}{{ n }} items{% endtrans %} {{ _('x') }}"),
    ).toBe('2 items x');
  });

  it.each([
    ['(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2', [2, 0, 1, 1, 1, 2]],
    ['n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2', [2, 0, 1, 1, 1, 1]],
    ['!(n > 1)', [1, 1, 0, 0, 0, 0]],
  ])('plural rule %s', (rule, forms) => {
    expect([0, 1, 2, 3, 4, 5].map(parsePluralRule(rule))).toEqual(forms);
  });

  it.each([
    ['x', /cannot be read/],
    ['n +', /no expression/],
    ['(n', /lacks a \)/],
    [`${'('.repeat(200)}n${')'.repeat(200)}`, /nests too deeply/],
    [`n${'+n'.repeat(600)}`, /too long/],
  ])('plural rule %.20s is refused', (rule, message) => {
    expect(() => parsePluralRule(rule)).toThrow(message);
  });

  it.each([
    ['Plural-Forms: nplurals=2; plural=n;', /selects form 2 of 2 for 2/],
    ['Plural-Forms: nplurals=99; plural=n;', /not as gettext has it/],
  ])('a catalogue with %s is refused', (header, message) => {
    expect(() => parsePo(Buffer.from(`msgid ""\nmsgstr "${header}\\n"\n`))).toThrow(message);
  });
});

describe('a document without a language', () => {
  it.each([
    ['<p>a', 'ar-EG', '<html lang="ar-EG" dir="rtl"><title>t</title><p>a'],
    [
      '<!doctype html><html class="x"><title>t</title>',
      'de',
      '<!doctype html><html lang="de"><html class="x"><title>t</title>',
    ],
    ['<html lang="fr" dir="ltr"><title>t</title>', 'ar', '<html lang="fr" dir="ltr"><title>t</title>'],
  ])('%s in %s', (html, locale, expected) => {
    expect(prepareDocument({ html, styles: [], title: 't', locale }).html).toBe(expected);
  });
});
