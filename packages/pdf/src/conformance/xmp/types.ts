import { isoDate } from '../../look/dates.ts';
import { STRUCTURES, type Structure } from './schemas.ts';
import type { ListForm, XmpField, XmpValue } from './values.ts';

/**
 * The types of values of XMP properties (ISO 16684-1, 8.2), and conversion of values to the form of their type.
 */

/** Types of single texts, with the pattern of valid values; null permits any text. */
const TEXTS: ReadonlyMap<string, RegExp | null> = new Map([
  ['text', null],
  ['propername', null],
  ['agentname', null],
  ['renditionclass', null],
  ['locale', null],
  ['rational', null],
  ['uri', null],
  ['url', null],
  ['xpath', null],
  ['boolean', /^(?:True|False)$/],
  ['integer', /^[+-]?\d+$/],
  ['real', /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/],
  ['mimetype', /^[-\w+.]+\/[-\w+.]+$/],
  ['gpscoordinate', /^\d{1,3},\d{1,2}(?:,\d{1,2}|\.\d+)[NSEW]$/],
  ['date', /^(?:\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?)?$/],
]);

/** List types in descriptions of schemas. */
const MAX_LISTS = 8;

/** The possible types of a property: those of XMP, and those that the schema of the property defines. */
export class Types {
  readonly #structures: Map<string, Structure>;

  constructor(own: ReadonlyMap<string, Structure> = new Map()) {
    this.#structures = new Map([...STRUCTURES, ...own]);
  }

  /** Whether a type of that name exists, including list types. */
  isKnown(type: string): boolean {
    let rest = simplified(type);
    for (let count = 0; count < MAX_LISTS; count++) {
      const list = listOf(rest);
      if (list === undefined) return rest === LANGUAGES || TEXTS.has(rest) || this.#structures.has(rest);
      rest = list.type;
    }
    return false;
  }

  /**
   * Converts a value to the form of a type.
   *
   * @param lost is called for removed fields of structures, which the type does not have
   * @returns the same value if it already has that form; undefined if it cannot be converted
   */
  fitted(value: XmpValue, type: string, lost: (field: string) => void): XmpValue | undefined {
    const wanted = simplified(type);
    if (wanted === 'any') return value;
    if (wanted === LANGUAGES) return inLanguages(value);
    const list = listOf(wanted);
    if (list !== undefined) return this.#listed(value, list, lost);
    const structure = this.#structures.get(wanted);
    if (structure !== undefined) return this.#structured(value, structure, lost);
    const pattern = TEXTS.get(wanted);
    return pattern === undefined ? undefined : asText(value, wanted, pattern);
  }

  #listed(
    value: XmpValue,
    { form, type }: { form: ListForm; type: string },
    lost: (field: string) => void,
  ): XmpValue | undefined {
    const items = isList(value) ? value.items : [value];
    const fitting: XmpValue[] = [];
    for (const item of items) {
      const own = this.fitted(item, type, lost);
      if (own === undefined) return undefined;
      fitting.push(own);
    }
    const isSame = value.form === form && fitting.every((item, at) => item === items[at]);
    return isSame ? value : { form, items: fitting };
  }

  #structured(
    value: XmpValue,
    { namespace, fields }: Structure,
    lost: (field: string) => void,
  ): XmpValue | undefined {
    if (value.form !== 'fields') return undefined;
    const kept: XmpField[] = [];
    for (const field of value.fields) {
      const type = field.namespace === namespace ? fields.get(field.name) : undefined;
      const own = type === undefined ? undefined : this.fitted(field.value, type, lost);
      if (own === undefined) lost(field.qualifiedName);
      else kept.push(own === field.value ? field : { ...field, value: own });
    }
    const isSame =
      kept.length === value.fields.length && kept.every((field, at) => field === value.fields[at]);
    if (isSame) return value;
    return kept.length === 0 ? undefined : { form: 'fields', fields: kept };
  }
}

const LANGUAGES = 'lang alt';

/**
 * A type in normalized form: `Closed Choice of Text` is a text, and `bag` a list of texts (ISO 19005-2,
 * 6.6.2.3.3).
 */
function simplified(type: string): string {
  const words = type
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = words.filter((word, at) => {
    if (word === 'open' || word === 'closed') return words[at + 1] !== 'choice';
    return word !== 'choice' && !(word === 'of' && words[at - 1] === 'choice');
  });
  const last = kept.at(-1);
  if (last === undefined) return 'text';
  const name = kept.join(' ');
  return name !== LANGUAGES && !name.endsWith(` ${LANGUAGES}`) && isListForm(last) ? `${name} text` : name;
}

function isListForm(word: string): word is ListForm {
  return word === 'bag' || word === 'seq' || word === 'alt';
}

function listOf(type: string): { form: ListForm; type: string } | undefined {
  const space = type.indexOf(' ');
  const form = type.slice(0, Math.max(space, 0));
  return isListForm(form) ? { form, type: type.slice(space + 1) } : undefined;
}

function isList(value: XmpValue): value is Extract<XmpValue, { items: unknown }> {
  return 'items' in value;
}

/** Text in languages; text without a language is the default. */
function inLanguages(value: XmpValue): XmpValue | undefined {
  if (value.form === 'alt') {
    const texts = value.items.every(({ form }) => form === 'text');
    const isTold = value.items.some((item) => item.form === 'text' && item.language !== null);
    if (texts && (isTold || value.items.length === 0)) return value;
  }
  const text = plainText(value);
  if (text === undefined) return undefined;
  return { form: 'alt', items: [{ form: 'text', text, language: 'x-default' }] };
}

/** The text of a value: all texts of a list, the first of alternatives. */
function plainText(value: XmpValue): string | undefined {
  if (value.form === 'text') return value.text;
  if (!isList(value)) return undefined;
  const texts = value.items.map((item) => (item.form === 'text' ? item.text : undefined));
  if (texts.some((text) => text === undefined)) return undefined;
  return value.form === 'alt' ? texts[0] : texts.join(', ');
}

function asText(value: XmpValue, type: string, pattern: RegExp | null): XmpValue | undefined {
  const isRight = (text: string): boolean => pattern === null || pattern.test(text);
  if (value.form === 'text' && isRight(value.text)) return value;
  const plain = plainText(value);
  const text = plain === undefined ? undefined : respelled(plain.trim(), type);
  return text === undefined || !isRight(text) ? undefined : { form: 'text', text, language: null };
}

/** The value in the canonical spelling of XMP. */
function respelled(text: string, type: string): string {
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true' ? 'True' : 'False';
  }
  if (type !== 'date') return text;
  return isoDate(text)
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}
