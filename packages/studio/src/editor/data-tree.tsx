import { useState } from 'preact/hooks';
import type { Json } from '../api/types.ts';
import { text } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { describe } from './completion.ts';
import { loopName, placeholderFor } from './fields.ts';

/** Most members of one object that are shown, because data may have any number. */
const SHOWN = 200;

interface NodeProps {
  name: string;
  value: Json;
  /** Names from the root; within an item of a list, from the item, as a loop names them. */
  path: readonly string[];
  onInsert: (text: string) => void;
}

/** Shows the data as a tree. Pressing a field inserts it; lists show the fields of their first item. */
export function DataTree({ value, onInsert }: { value: Json; onInsert: (text: string) => void }) {
  return (
    <ul class="tree">
      {membersOf(value).map(([name, member]) => (
        <Node key={name} name={name} value={member} path={[name]} onInsert={onInsert} />
      ))}
    </ul>
  );
}

function Node({ name, value, path, onInsert }: NodeProps) {
  const [open, setOpen] = useState(path.length < 2);
  const inner = Array.isArray(value) ? value[0] : value;
  const members = inner === undefined ? [] : membersOf(inner);
  const below = Array.isArray(value) ? [loopName(name)] : path;
  return (
    <li>
      <span class="tree-row">
        {members.length > 0 ? (
          <button
            type="button"
            class="tree-toggle"
            aria-expanded={open}
            aria-label={name}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'down' : 'right'} size={14} />
          </button>
        ) : (
          <span class="tree-toggle" />
        )}
        <button
          type="button"
          class="tree-field"
          title={text.data.insert(path.join('.'))}
          onClick={() => onInsert(placeholderFor(path, value))}
        >
          <span class="tree-name">{name}</span>
          <span class="tree-value">{describe(value)}</span>
        </button>
      </span>
      {open && members.length > 0 && (
        <ul>
          {members.map(([key, member]) => (
            <Node key={key} name={key} value={member} path={[...below, key]} onInsert={onInsert} />
          ))}
        </ul>
      )}
    </li>
  );
}

function membersOf(value: Json): [string, Json][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).slice(0, SHOWN);
}
