import { claimString, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { stripTags } from '../format/html.ts';
import { formatPercent } from '../format/percent.ts';
import { wrapText } from '../format/textwrap.ts';
import { getAttribute } from '../values/attributes.ts';
import { Dict, sameKind, Tuple } from '../values/containers.ts';
import { escape, hasHtml, markSafe, softStr } from '../values/escape.ts';
import { length, toList, truthy } from '../values/iterate.ts';
import { replaceText } from '../values/methods/strings.ts';
import { splitLines } from '../values/methods/splitting.ts';
import { native, nativeAt } from '../values/native.ts';
import { binary } from '../values/operators.ts';
import { str } from '../values/repr.ts';
import { slice } from '../values/slices.ts';
import { SPACE } from '../values/text.ts';
import type { Callable, CallSite, Value } from '../values/types.ts';
import {
  isInteger,
  isString,
  Markup,
  NO_KWARGS,
  Obj,
  textOf,
  shortTypeName,
  typeName,
} from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { attributeGetter } from './attributes.ts';

/** Calls a method of a value as a filter written in Python would. */
function method(value: Value, name: string, args: Value[], site: CallSite): Value {
  const bound = getAttribute(value, name);
  return bound instanceof Obj ? bound.call(args, NO_KWARGS, site) : null;
}

/** Returns a filter that calls a method of the value's text. */
function asMethod(signature: string, name: string): Callable {
  return nativeAt(signature, (site, value, ...args) => method(softStr(value ?? null), name, args, site));
}

/** Returns a string, or raises Python's error for any other value. */
function asText(value: Value): string | Markup {
  if (isString(value)) return value;
  if (value instanceof Undefined) return value.fail();
  return raise('TypeError', `expected string or bytes-like object, got '${typeName(value)}'`);
}

function replace(site: CallSite, value: Value, old: Value, replacement: Value, count: Value): Value {
  const limit = count === null ? -1 : count;
  if (!isInteger(limit) && typeof limit !== 'boolean') {
    return raise('TypeError', `'${typeName(limit)}' object cannot be interpreted as an integer`);
  }
  if (!site.autoescape) return replaceText(str(value), str(old), str(replacement), Number(limit));
  const subject = hasHtml(old) || (hasHtml(replacement) && !hasHtml(value)) ? escape(value) : softStr(value);
  const [from, to] = [softStr(old), softStr(replacement)];
  if (!(subject instanceof Markup)) return replaceText(subject, textOf(from), textOf(to), Number(limit));
  return new Markup(replaceText(subject.text, textOf(from), escape(to).text, Number(limit)));
}

const WORD_BEGINNINGS = new RegExp(`([-${SPACE}({\\[<]+)`, 'u');

function title(value: Value): Value {
  const text = textOf(softStr(value));
  spend(text.length * 3);
  const result = text
    .split(WORD_BEGINNINGS)
    .map((word) => {
      const [head = ''] = word;
      return head.toUpperCase() + word.slice(head.length).toLowerCase();
    })
    .join('');
  claimString(result.length);
  return result;
}

/** Returns a value to which a line break can be added, or raises Python's error. */
function indentable(value: Value): string | Markup {
  if (isString(value)) return value;
  if (value instanceof Undefined) return value.fail();
  if (value instanceof Tuple) return raise('TypeError', 'can only concatenate tuple (not "str") to tuple');
  if (Array.isArray(value)) return withoutMethod(value, 'splitlines');
  return raise('TypeError', `unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
}

function withoutMethod(value: Value, name: string): never {
  return raise('AttributeError', `'${shortTypeName(value)}' object has no attribute '${name}'`);
}

function indent(value: Value, width: Value, first: Value, blank: Value): Value {
  const indention = isString(width) ? textOf(width) : textOf(asText(binary('*', ' ', width)));
  const text = `${textOf(indentable(value))}\n`;
  const lines = splitLines(text);
  claimString(text.length + lines.length * indention.length);
  const joined = truthy(blank)
    ? lines.join(`\n${indention}`)
    : [lines[0] ?? '', ...lines.slice(1).map((line) => (line === '' ? '' : indention + line))].join('\n');
  return sameKind(value, truthy(first) ? indention + joined : joined);
}

function truncate(value: Value, limit: Value, killWords: Value, end: Value, leeway: Value): Value {
  const tolerance = leeway === null ? 5 : leeway;
  if (typeof limit !== 'number' || typeof tolerance !== 'number') {
    return raise('TypeError', `'>=' not supported between instances of '${typeName(limit)}' and 'int'`);
  }
  const endLength = length(end);
  if (limit < endLength) raise('AssertionError', `expected length >= ${endLength}, got ${limit}`);
  if (tolerance < 0) raise('AssertionError', `expected leeway >= 0, got ${tolerance}`);
  if (length(value) <= limit + tolerance) return value;
  const head = slice(value, null, limit - endLength, null);
  if (truthy(killWords)) return binary('+', head, end);
  if (!isString(head)) return withoutMethod(head, 'rsplit');
  const text = textOf(head);
  const space = text.lastIndexOf(' ');
  return binary('+', sameKind(head, space === -1 ? text : text.slice(0, space)), end);
}

function wordWrap(
  site: CallSite,
  value: Value,
  width: Value,
  breakLong: Value,
  wrapString: Value,
  breakHyphens: Value,
): Value {
  if (typeof width !== 'number') {
    return raise('TypeError', `'<=' not supported between instances of '${typeName(width)}' and 'int'`);
  }
  const joint = wrapString === null ? site.newline : wrapString;
  const options = { width, breakLongWords: truthy(breakLong), breakOnHyphens: truthy(breakHyphens) };
  if (!isString(value)) return value instanceof Undefined ? value.fail() : withoutMethod(value, 'splitlines');
  const wrapped = splitLines(textOf(value)).flatMap((line) => {
    const lines = wrapText(line, options);
    // An empty line wraps to an empty list, but has to stay.
    return lines.length === 0 ? [''] : lines;
  });
  const separator = textOf(asText(joint));
  claimString(wrapped.reduce((sum, line) => sum + line.length + separator.length, 0));
  return joint instanceof Markup
    ? new Markup(wrapped.map((line) => escape(line).text).join(separator))
    : wrapped.join(separator);
}

function join(site: CallSite, value: Value, separator: Value, attribute: Value): Value {
  const items = attribute === null ? toList(value) : toList(value).map(attributeGetter(attribute));
  const escaping = site.autoescape && (hasHtml(separator) || items.some(hasHtml));
  const parts = items.map((item) => (escaping ? escape(item).text : str(item)));
  const joint = escaping ? escape(separator).text : str(separator);
  claimString(parts.reduce((sum, part) => sum + part.length + joint.length, 0));
  const text = parts.join(joint);
  return escaping ? new Markup(text) : text;
}

function format(value: Value, args: Value, named: Value): Value {
  const positional = Array.isArray(args) ? args : [];
  const hasNamed = named instanceof Dict && named.size > 0;
  if (positional.length > 0 && hasNamed) {
    return raise('FilterArgumentError', "can't handle positional and keyword arguments at the same time");
  }
  return formatPercent(softStr(value), hasNamed ? named : new Tuple(positional));
}

function wordCount(value: Value): number {
  const text = textOf(softStr(value));
  spend(text.length >>> 1);
  return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
}

/** Filters for text. */
export const TEXT_FILTERS: Record<string, Callable> = {
  capitalize: asMethod('do_capitalize(s)', 'capitalize'),
  center: asMethod('do_center(value, width=80)', 'center'),
  format: native('do_format(value, *args, **kwargs)', format),
  indent: native('do_indent(s, width=4, first=False, blank=False)', indent),
  join: nativeAt("sync_do_join(eval_ctx, value, d='', attribute=None)", join),
  lower: asMethod('do_lower(s)', 'lower'),
  replace: nativeAt('do_replace(eval_ctx, s, old, new, count=None)', replace),
  safe: native('do_mark_safe(value)', markSafe),
  string: native('soft_str(s, /)', softStr),
  striptags: native('do_striptags(value)', (value) => stripTags(markSafe(value).text)),
  title: native('do_title(s)', title),
  trim: asMethod('do_trim(value, chars=None)', 'strip'),
  truncate: native("do_truncate(env, s, length=255, killwords=False, end='...', leeway=None)", truncate),
  upper: asMethod('do_upper(s)', 'upper'),
  wordcount: native('do_wordcount(s)', wordCount),
  wordwrap: nativeAt(
    'do_wordwrap(environment, s, width=79, break_long_words=True, wrapstring=None, break_on_hyphens=True)',
    wordWrap,
  ),
};
