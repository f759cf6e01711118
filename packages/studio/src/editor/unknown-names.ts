import { nearest } from '@platen/core/nearest';
import type { Json, Schema } from '../api/types.ts';
import { loopOf, membersAt, resolvePath } from './completion.ts';
import { schemaAt } from './fields.ts';

/** Finds the places of names in a template that neither the data nor their schema have. */

export interface UnknownName {
  /** Offsets of the name in the text. */
  from: number;
  to: number;
  /** Full path of the name in the data. */
  path: string;
  /** The known name that was probably meant. */
  near: string | null;
}

export interface KnownNames {
  data: Json;
  declared: Schema | null;
  /** Variables that the service adds for images. */
  images: readonly string[];
}

/** Most places that are marked: a text with more has another fault. */
const MARKED = 200;

/** A text, the name of a filter, or a path of names; each match begins where the one before ended. */
// bounded: a text without its end is one character, and the search goes on behind it
const TOKEN = /"[^"\n]*"|'[^'\n]*'|\|\s*\w+|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d+\])*/gu;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu;

/**
 * Returns the places, in the order of the text.
 *
 * @param unknown paths from `compareFields`: the service decides what is a field, and this function only where it is
 */
export function unknownNames(text: string, unknown: ReadonlySet<string>, known: KnownNames): UnknownName[] {
  const found: UnknownName[] = [];
  if (unknown.size === 0) return found;
  const loops: [string, string[]][] = [];
  for (const { from, content } of tagsIn(text)) {
    const variables = new Map(loops);
    for (const { 0: token, index } of content.matchAll(TOKEN)) {
      if (/^["'|]/.test(token)) continue;
      const names = [...token.matchAll(NAME)];
      const own = names.map(([name]) => name);
      const path = resolvePath(own, variables);
      const wrong = path.findIndex((_, last) => unknown.has(path.slice(0, last + 1).join('.')));
      // A name of the list that a loop iterates over is marked there.
      const source = variables.get(own[0] ?? '')?.length ?? 0;
      const at = wrong < source ? undefined : names[wrong - Math.max(0, source - 1)];
      if (wrong < 0 || at === undefined || found.length >= MARKED) continue;
      const wrongPath = path.slice(0, wrong + 1);
      const near = nearestKnown(wrongPath, known, [...variables.keys()]);
      const start = from + index + at.index;
      const [name] = at;
      found.push({ from: start, to: start + name.length, path: wrongPath.join('.'), near });
    }
    const loop = loopOf(content, variables);
    if (loop !== null) loops.push(loop);
    else if (/^[-+]?\s*end(?:for|tablerow)\b/.test(content)) loops.pop();
  }
  return found;
}

/**
 * Returns the known name that is nearest to the last one of a path; null for none.
 *
 * @param variables of loops, which are known beside the data
 */
export function nearestKnown(
  path: readonly string[],
  { data, declared, images }: KnownNames,
  variables: readonly string[] = [],
): string | null {
  const within = path.slice(0, -1);
  return nearest(path.at(-1) ?? '', [
    ...membersAt(data, within).map(({ label }) => label),
    ...Object.keys(schemaAt(declared, within)?.properties ?? {}),
    ...(within.length === 0 ? [...variables, ...images] : []),
  ]);
}

/** Yields the content of each `{{ … }}` and `{% … %}` with its offset; comments are skipped. */
function* tagsIn(text: string): Generator<{ from: number; content: string }> {
  const opening = /\{[{%#]/g;
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    const from = open.index + 2;
    const mark = text.charAt(from - 1);
    const end = text.indexOf(mark === '{' ? '}}' : `${mark}}`, from);
    if (end < 0) return;
    if (mark !== '#') yield { from, content: text.slice(from, end) };
    opening.lastIndex = end + 2;
  }
}
