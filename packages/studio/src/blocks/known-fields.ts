import type { EditorState } from 'prosemirror-state';
import { isObject } from '../api/json.ts';
import type { Json } from '../api/types.ts';
import { describe, itemOf, loopVariables, resolvePath, valueAt } from '../editor/completion.ts';
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
    collect(found, itemOf(valueAt(data, resolvePath([name], variables))), name);
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
