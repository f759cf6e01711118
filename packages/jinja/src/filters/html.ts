import { claimAppend, claimString, spend, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { dumpJson } from '../format/jsondump.ts';
import type { JsonFallback } from '../format/jsondump.ts';
import { urlize } from '../format/urlize.ts';
import { Dict } from '../values/containers.ts';
import { escape, markSafe } from '../values/escape.ts';
import { iteratorOf, toList, truthy } from '../values/iterate.ts';
import { native, nativeAt } from '../values/native.ts';
import { repr, str } from '../values/repr.ts';
import type { Callable, CallSite, Value } from '../values/types.ts';
import { isString, Markup, textOf, typeName } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';

/** Percent-encodes text for a URL; with `forQuery` also slashes, and spaces as `+`. */
function quote(value: Value, forQuery: boolean): string {
  const text = str(value);
  if (!text.isWellFormed()) {
    raise('UnicodeEncodeError', "'utf-8' codec can't encode characters: surrogates not allowed");
  }
  spend(text.length >>> 1);
  const encoded = encodeURIComponent(text).replace(/[!'()*]/gu, (char) => `%${hex(char)}`);
  claimString(encoded.length);
  return forQuery ? encoded.replaceAll('%20', '+') : encoded.replaceAll('%2F', '/');
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
}

function urlEncode(value: Value): string {
  if (isString(value) || iteratorOf(value) === undefined) return quote(value, false);
  const pairs = value instanceof Dict ? Array.from(value.entries()) : toList(value).map(pairOf);
  let length = 0;
  const parts = pairs.map(([key, item]) => {
    const part = `${quote(key, true)}=${quote(item, true)}`;
    claimAppend(length, part.length);
    length += part.length;
    return part;
  });
  return parts.join('&');
}

function pairOf(value: Value): [Value, Value] {
  if (iteratorOf(value) === undefined)
    raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const [key, item, ...more] = toList(value);
  if (key === undefined || item === undefined) {
    return raise('ValueError', `not enough values to unpack (expected 2, got ${key === undefined ? 0 : 1})`);
  }
  if (more.length > 0) return raise('ValueError', 'too many values to unpack (expected 2)');
  return [key, item];
}

function xmlAttributes(site: CallSite, value: Value, autospace: Value): Value {
  if (value instanceof Undefined) return value.fail();
  if (!(value instanceof Dict))
    return raise('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  const attributes: string[] = [];
  let length = 0;
  for (const [key, item] of value.entries()) {
    step();
    if (item === null || item instanceof Undefined) continue;
    if (!isString(key))
      return raise('TypeError', `expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[ \t\n\r\f\v/>=]/u.test(textOf(key))) {
      return raise('ValueError', `Invalid character in attribute name: ${repr(key)}`);
    }
    const attribute = `${escape(key).text}="${escape(item).text}"`;
    claimAppend(length, attribute.length);
    length += attribute.length;
    attributes.push(attribute);
  }
  let text = attributes.join(' ');
  if (truthy(autospace) && text !== '') text = ` ${text}`;
  return site.autoescape ? new Markup(text) : text;
}

/** Returns JSON for use in HTML and in scripts: characters that could end either are escaped. */
export function htmlSafeJson(value: Value, indent: Value, fallback?: JsonFallback): Markup {
  const text = dumpJson(value, indent, fallback)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll("'", '\\u0027');
  claimString(text.length);
  return new Markup(text);
}

function link(site: CallSite, value: Value, ...args: Value[]): Value {
  const [limit = null, nofollow = false, target = null, rel = null, schemes = null] = args;
  const rels = new Set(relations(rel));
  if (truthy(nofollow)) rels.add('nofollow');
  rels.add('noopener');
  const extra = schemes === null ? [] : toList(schemes).map((scheme) => str(scheme));
  for (const scheme of extra) {
    if (!/^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(scheme)) {
      raise('FilterArgumentError', `${repr(scheme)} is not a valid URI scheme prefix.`);
    }
  }
  const text = urlize(escape(value).text, {
    limit: typeof limit === 'number' ? limit : undefined,
    rel: escape([...rels].sort().join(' ')).text,
    target: target === null || !truthy(target) ? '' : escape(target).text,
    extraSchemes: extra,
  });
  return site.autoescape ? new Markup(text) : text;
}

function relations(rel: Value): string[] {
  if (!truthy(rel)) return [];
  if (!isString(rel)) return raise('AttributeError', `'${typeName(rel)}' object has no attribute 'split'`);
  return textOf(rel)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** Filters for HTML and addresses. */
export const HTML_FILTERS: Record<string, Callable> = {
  e: native('escape(s, /)', escape),
  escape: native('escape(s, /)', escape),
  forceescape: native('do_forceescape(value)', (value) => escape(markSafe(value).text)),
  tojson: native('do_tojson(eval_ctx, value, indent=None)', (value, indent) => htmlSafeJson(value, indent)),
  urlencode: native('do_urlencode(value)', urlEncode),
  urlize: nativeAt(
    'do_urlize(eval_ctx, value, trim_url_limit=None, nofollow=False, target=None, rel=None, extra_schemes=None)',
    link,
  ),
  xmlattr: nativeAt('do_xmlattr(eval_ctx, d, autospace=True)', xmlAttributes),
};
