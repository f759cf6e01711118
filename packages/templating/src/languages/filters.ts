import {
  formatCurrency,
  formatDate,
  formatDateTime,
  formatDecimal,
  formatList,
  formatPercent,
  formatScientific,
  formatTime,
  formatTimeDelta,
  loadWords,
  type NumberStyle,
  spellOut,
} from '@platen/locale';
import { type Callable, native, spend, str, toList, type Value } from '@platen/jinja';
import { lazily } from '../lazy.ts';
import type { LanguageFilter } from './names.ts';
import {
  asTemplateFault,
  flag,
  localeValue,
  momentValue,
  numberText,
  numberValue,
  optionalText,
  secondsValue,
  textValue,
} from './values.ts';

/**
 * The filters of Babel and of Flask-Babel, with their names and arguments. Filters with `context` depend on
 * the rendering.
 */

const words = lazily(loadWords);

/** Steps for one call: formatting with a language's data takes about as long as that many operations. */
const CALL_STEPS = 40;

type Given = Readonly<Record<string, Value | undefined>>;
type Filter = (value: Value, given: Given, locale: string, name: string) => string;

/** A filter's arguments in positional order; the first is the value. */
interface Definition {
  parameters: string;
  filter: Filter;
}

const NUMBER = 'decimal_quantization=True, group_separator=True, numbering_system=None';
const ZONE = 'tzinfo=None, timezone=None';

function numberStyle(given: Given, locale: string, name: string): NumberStyle {
  return {
    locale: localeValue(given['locale'], name, locale),
    // An empty pattern counts as absent, as in Babel.
    format: optionalText(given['format'], name) || null,
    quantize: flag(given['decimal_quantization'] ?? true),
    group: flag(given['group_separator'] ?? true),
    numberingSystem: optionalText(given['numbering_system'], name),
  };
}

const decimal: Filter = (value, given, locale, name) =>
  formatDecimal(numberText(value, name), numberStyle(given, locale, name));
const percent: Filter = (value, given, locale, name) =>
  formatPercent(numberText(value, name), numberStyle(given, locale, name));
const scientific: Filter = (value, given, locale, name) =>
  formatScientific(numberText(value, name), numberStyle(given, locale, name));

const currency: Filter = (value, given, locale, name) =>
  formatCurrency(numberText(value, name), textValue(given['currency'] ?? null, name), {
    ...numberStyle(given, locale, name),
    currencyDigits: flag(given['currency_digits'] ?? true),
    type: textValue(given['format_type'] ?? 'standard', name),
  });

function dated(format: typeof formatDate): Filter {
  return (value, given, locale, name) =>
    format(momentValue(value, name), {
      locale: localeValue(given['locale'], name, locale),
      format: optionalText(given['format'], name) || 'medium',
      zone: optionalText(given['tzinfo'] ?? given['timezone'], name),
    });
}

const timedelta: Filter = (value, given, locale, name) =>
  formatTimeDelta(secondsValue(value, name), {
    locale: localeValue(given['locale'], name, locale),
    granularity: textValue(given['granularity'] ?? 'second', name),
    threshold: numberValue(given['threshold'] ?? null, name),
    direction: flag(given['add_direction'] ?? false),
    format: textValue(given['format'] ?? 'long', name),
  });

const list: Filter = (value, given, locale, name) =>
  formatList(
    toList(value).map(str),
    textValue(given['style'] ?? 'standard', name),
    localeValue(given['locale'], name, locale),
  );

const spelled: Filter = (value, given, locale, name) =>
  spellOut(numberText(value, name), localeValue(given['locale'], name, locale), words());

const FORMAT = 'format=None';
const DEFINITIONS: Readonly<Record<LanguageFilter, Definition>> = {
  format_decimal: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: decimal },
  format_percent: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: percent },
  format_scientific: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: scientific },
  format_currency: {
    parameters: `number, currency, ${FORMAT}, locale=None, currency_digits=True, format_type='standard', ${NUMBER}`,
    filter: currency,
  },
  format_date: { parameters: `date, ${FORMAT}, locale=None, ${ZONE}`, filter: dated(formatDate) },
  format_datetime: {
    parameters: `datetime, ${FORMAT}, tzinfo=None, locale=None, timezone=None`,
    filter: dated(formatDateTime),
  },
  format_time: {
    parameters: `time, ${FORMAT}, tzinfo=None, locale=None, timezone=None`,
    filter: dated(formatTime),
  },
  format_timedelta: {
    parameters:
      "delta, granularity='second', threshold=0.85, add_direction=False, format='long', locale=None",
    filter: timedelta,
  },
  format_list: { parameters: "lst, style='standard', locale=None", filter: list },
  spell_out: { parameters: 'number, locale=None', filter: spelled },
  // Flask-Babel's argument order; `rebase` concerns the user's time zone, which does not exist here.
  decimalformat: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: decimal },
  numberformat: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: decimal },
  percentformat: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: percent },
  scientificformat: { parameters: `number, ${FORMAT}, locale=None, ${NUMBER}`, filter: scientific },
  currencyformat: {
    parameters: `number, currency, ${FORMAT}, currency_digits=True, format_type='standard', locale=None, ${NUMBER}`,
    filter: currency,
  },
  dateformat: { parameters: `date, ${FORMAT}, rebase=True, locale=None, ${ZONE}`, filter: dated(formatDate) },
  datetimeformat: {
    parameters: `datetime, ${FORMAT}, rebase=True, locale=None, ${ZONE}`,
    filter: dated(formatDateTime),
  },
  timeformat: { parameters: `time, ${FORMAT}, rebase=True, locale=None, ${ZONE}`, filter: dated(formatTime) },
  timedeltaformat: {
    parameters:
      "delta, granularity='second', add_direction=False, threshold=0.85, format='long', locale=None",
    filter: timedelta,
  },
};

/**
 * Returns the filters for template languages with Python's calling convention. @param locale returns the
 * locale of the rendering
 */
export function languageFilters(locale: () => string): ReadonlyMap<string, Callable> {
  return new Map(
    Object.entries(DEFINITIONS).map(([name, { parameters, filter }]): [string, Callable] => {
      const names = parameters.split(', ').map((parameter) => parameter.split('=', 1)[0] ?? '');
      const call = native(`${name}(context, ${parameters})`, (value, ...others) => {
        spend(CALL_STEPS);
        const given = Object.fromEntries(names.slice(1).map((parameter, i) => [parameter, others[i]]));
        return asTemplateFault(name, () => filter(value ?? null, given, locale(), name));
      });
      return [name, call];
    }),
  );
}
