import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Environment, fromJs } from '@platen/jinja';
import { languageFilters } from '@platen/templating/languages';
import { Random } from '../support/random.ts';

/** Calls of Babel's functions with random data, and what comes of them here and there. */

export interface BabelCall {
  name: string;
  /** JSON; dates as `{"$datetime": "2026-03-05T10:00:00"}`. */
  value: unknown;
  /** By name. */
  arguments: Readonly<Record<string, unknown>>;
  /** As Babel writes it. */
  locale: string;
}

export const LOCALES: readonly string[] = (
  'en_US en_GB en_AU en_IN en_CA de_DE de_AT de_CH fr_FR fr_CA fr_CH es_ES es_MX es_AR it_IT it_CH pt_BR pt_PT nl_NL nl_BE ' +
  'sv_SE da_DK nb_NO fi_FI is_IS et_EE lv_LV lt_LT pl_PL cs_CZ sk_SK sl_SI hr_HR sr_RS bs_BA bg_BG ro_RO hu_HU el_GR ' +
  'tr_TR ru_RU uk_UA kk_KZ ka_GE hy_AM az_AZ he_IL ar_EG ar_SA fa_IR ur_PK hi_IN bn_BD ta_IN th_TH vi_VN id_ID ms_MY ' +
  'ja_JP ko_KR zh_CN zh_TW ca_ES eu_ES gl_ES sw_KE af_ZA'
).split(' ');

const NUMBER_PATTERNS = [
  '#,##0.00',
  '0.0#',
  '#,##0.###;(#)',
  '00000',
  '@@#',
  "#,##0 'x'",
  '#,##,##0.0',
  '#0.00%',
  '##0.0‰',
];
const DATE_PATTERNS = [
  'yyyy-MM-dd',
  'EEEE, d MMMM y',
  'EEE d MMM yy',
  'dd/MM/yyyy',
  'LLLL y',
  "d. MMMM 'of' y",
  'w Y',
  'D F e',
  'ccc',
  "yyyy''MM",
];
const TIME_PATTERNS = ['HH:mm:ss', 'h:mm a', 'K k', 'mm:ss.SSS', 'A', 'HH:mm xxx', 'HH:mm ZZZZ', 'HH X'];
const LENGTHS = ['short', 'medium', 'long', 'full'];
const CURRENCIES = [
  'EUR',
  'USD',
  'GBP',
  'JPY',
  'CHF',
  'CNY',
  'INR',
  'BRL',
  'PLN',
  'KWD',
  'SEK',
  'TRY',
  'AUD',
  'HUF',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'UTC'];

/** @param count of each kind */
export function randomCalls(seed: number, count: number): BabelCall[] {
  const random = new Random(seed);
  const next = (): number => random.next();
  const pick = <T>(list: readonly T[]): T => random.pick(list);
  const digits = (most: number): number => Math.floor(next() * 10 ** (1 + Math.floor(next() * most)));
  const number = (): number => {
    const value = next() < 0.5 ? digits(9) : digits(9) / 10 ** Math.floor(next() * 5);
    return next() < 0.3 && value !== 0 ? -value : value;
  };
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = (): string =>
    `${1970 + Math.floor(next() * 80)}-${two(1 + Math.floor(next() * 12))}-${two(1 + Math.floor(next() * 28))}`;
  const clock = (): string =>
    `${two(Math.floor(next() * 24))}:${two(Math.floor(next() * 60))}:${two(Math.floor(next() * 60))}`;
  const maybe = (key: string, value: unknown, chance = 0.5): Record<string, unknown> =>
    next() < chance ? { [key]: value } : {};
  const kinds: (() => Omit<BabelCall, 'locale'>)[] = [
    () => ({
      name: 'format_decimal',
      value: number(),
      arguments: {
        ...maybe('format', pick(NUMBER_PATTERNS), 0.4),
        ...maybe('group_separator', false, 0.1),
        ...maybe('decimal_quantization', false, 0.1),
      },
    }),
    () => ({
      name: 'format_currency',
      value: number(),
      arguments: {
        currency: pick(CURRENCIES),
        ...maybe('format_type', pick(['standard', 'accounting', 'name']), 0.6),
        ...maybe('format', '#,##0.00 ¤¤', 0.1),
        ...maybe('currency_digits', false, 0.1),
      },
    }),
    () => ({ name: 'format_percent', value: number() / 1000, arguments: maybe('format', '#,##0.0%', 0.2) }),
    () => ({ name: 'format_scientific', value: number(), arguments: maybe('format', '##0.##E00', 0.3) }),
    () => ({
      name: 'format_date',
      value: { $date: day() },
      arguments: { format: pick([...LENGTHS, ...LENGTHS, ...DATE_PATTERNS]) },
    }),
    () => ({
      name: 'format_time',
      value: { $datetime: `${day()}T${clock()}` },
      arguments: {
        format: pick(['short', 'medium', 'short', 'medium', ...TIME_PATTERNS]),
        ...maybe('tzinfo', pick(ZONES), 0.3),
      },
    }),
    () => ({
      name: 'format_datetime',
      value: { $datetime: `${day()}T${clock()}` },
      arguments: {
        format: pick([...LENGTHS, ...LENGTHS, ...DATE_PATTERNS, ...TIME_PATTERNS]),
        ...maybe('tzinfo', pick(ZONES), 0.3),
      },
    }),
    () => ({
      name: 'format_timedelta',
      value: { $timedelta: (next() < 0.3 ? -1 : 1) * digits(8) },
      arguments: {
        ...maybe('add_direction', true),
        ...maybe('granularity', pick(['day', 'hour', 'week']), 0.3),
        ...maybe('format', pick(['long', 'short', 'narrow']), 0.6),
      },
    }),
    () => ({
      name: 'format_list',
      value: ['alpha', 'beta', 'gamma', 'delta'].slice(0, Math.floor(next() * 5)),
      arguments: maybe(
        'style',
        pick(['standard', 'or', 'unit', 'standard-short', 'or-short', 'unit-narrow']),
      ),
    }),
  ];
  return LOCALES.flatMap((locale) =>
    kinds.flatMap((kind) => Array.from({ length: count }, () => ({ ...kind(), locale }))),
  );
}

/** What Babel gives for each call; null where it fails. */
export function babel(calls: readonly BabelCall[]): (string | null)[] {
  const input = calls.map(({ name, value, arguments: given, locale }) => [name, value, given, locale]);
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [join(import.meta.dirname, 'oracle.py')], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONPATH: resolve('node_modules/.cache/platen/python') },
  });
  if (status !== 0) throw new Error(`Babel failed: ${stderr}`);
  const answers = JSON.parse(stdout) as (string | { error: string })[];
  return answers.map((answer) => (typeof answer === 'string' ? answer : null));
}

/** What the filter gives that is named like the function; null where it fails. */
export function ours({ name, value, arguments: given, locale }: BabelCall): string | null {
  const environment = new Environment();
  for (const [filter, callable] of languageFilters(() => 'en')) environment.filters.set(filter, callable);
  const data = fromJs({ value: plain(value), locale, ...given });
  const args = ['locale', ...Object.keys(given)].map((key) => `${key}=${key}`).join(', ');
  try {
    return environment.compile(`{{ value | ${name}(${args}) }}`).render(data as never);
  } catch (error) {
    if (error instanceof Error && error.name === 'TemplateError') return null;
    throw error;
  }
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.values(value)[0];
}
