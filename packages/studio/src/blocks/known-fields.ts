import type { EditorState } from 'prosemirror-state';
import type { Json } from '../api/types.ts';
import { describe, loopVariables, resolvePath } from '../editor/completion.ts';
import { pathOf } from './commands.ts';

/** A name that a template may use, with what the data have for it. */
export interface KnownField {
  path: string;
  detail: string;
}

export interface KnownFields {
  /** Single values, those of the loops around the cursor first. */
  values: KnownField[];
  lists: (KnownField & { fields: string[] })[];
}

/** Most names that are offered, because data may have any number. */
const MOST = 300;

/** Returns what the data offer at the cursor. */
export function knownFields(data: Json, state: EditorState): KnownFields {
  const found: KnownFields = { values: [], lists: [] };
  const before = pathOf(state)
    .map(({ node }) => String(node.attrs['open'] ?? ''))
    .join('');
  const variables = loopVariables(before);
  for (const name of [...variables.keys()].toReversed())
    collect(found, firstItem(valueAt(data, resolvePath([name], variables))), name);
  collect(found, data, '');
  return { values: found.values.slice(0, MOST), lists: found.lists.slice(0, MOST) };
}

function collect(found: KnownFields, value: Json | undefined, path: string): void {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    const [item] = value;
    const fields = isObject(item) ? Object.keys(item) : [];
    found.lists.push({ path, detail: describe(value), fields });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      collect(found, member, path === '' ? name : `${path}.${name}`);
  } else found.values.push({ path, detail: describe(value) });
}

function valueAt(data: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const name of path) {
    value = firstItem(value);
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function firstItem(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
