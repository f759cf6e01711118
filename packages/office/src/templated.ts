import { ADDRESSES, FORMULAS } from './calc/addresses.ts';
import { percentDecoded } from './percent.ts';
import type { Attribute } from './xml/tree.ts';

/** Returns whether an attribute is filled: references to cells follow the names of sheets instead. */
export function isTemplated({ tag, value }: Attribute): boolean {
  return hasTag(value) && !ADDRESSES.has(tag) && !FORMULAS.has(tag);
}

/** Returns true for an attribute's value that contains a tag, literally or percent-encoded as in URLs. */
export function hasTag(value: string): boolean {
  const holds = (open: string, close: string): boolean => {
    const at = value.indexOf(open);
    return at !== -1 && value.includes(close, at + open.length);
  };
  const hasOne = holds('{{', '}}') || holds('{%', '%}') || holds('{#', '#}');
  return value.length > 3 && (hasOne || /%7B(%7B|%25)/i.test(value));
}

/** Returns a value of an attribute in which the tags that are percent-encoded are not. */
export function decodedTags(value: string): string {
  const open = /%7B(?:%7B|%25)/gi;
  const close = /(?:%7D|%25)%7D/gi;
  let decoded = '';
  let done = 0;
  for (let begin = open.exec(value); begin !== null; begin = open.exec(value)) {
    close.lastIndex = open.lastIndex;
    if (!close.test(value)) break;
    decoded += value.slice(done, begin.index) + percentDecoded(value.slice(begin.index, close.lastIndex));
    done = close.lastIndex;
    open.lastIndex = done;
  }
  return decoded + value.slice(done);
}
