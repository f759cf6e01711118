import type { Json, JsonObject } from '../api/types.ts';
import { labelOf } from '../editor/options.ts';
import { text } from '../text.ts';
import { timeOf } from './when.ts';

/** Most rows and members of one list or object that are shown, because a response may have any number. */
const SHOWN = 100;

/** Most columns of a table; objects with more members are shown one below the other. */
const COLUMNS = 7;

/**
 * Shows a response of the service in readable form: lists of objects as tables, objects as names and values.
 *
 * @param label the caption of a table
 */
export function JsonView({ value, label = text.json.table }: { value: Json; label?: string }) {
  if (Array.isArray(value)) return <List value={value} label={label} />;
  if (typeof value === 'object' && value !== null) return <Members value={value} />;
  return <span class={value === null ? 'hint' : undefined}>{wordsOf(value)}</span>;
}

function Members({ value }: { value: JsonObject }) {
  return (
    <dl class="facts">
      {Object.entries(value)
        .slice(0, SHOWN)
        .map(([name, member]) => (
          <div key={name} class="fact">
            <dt>{labelOf(name)}</dt>
            <dd>
              <JsonView value={member} label={labelOf(name)} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function List({ value, label }: { value: readonly Json[]; label: string }) {
  if (value.length === 0) return <span class="hint">{text.json.none}</span>;
  if (!value.every(isFlat)) return <span>{value.slice(0, SHOWN).map(wordsOf).join(', ')}</span>;
  const rows = value.slice(0, SHOWN);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > COLUMNS) {
    return (
      <ul class="members">
        {rows.map((row, index) => (
          <li key={index}>
            <Members value={row} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {labelOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((name) => (
                <td key={name}>{wordsOf(row[name] ?? null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {value.length > SHOWN && <p class="hint padded">{text.data.more(value.length - SHOWN)}</p>}
    </div>
  );
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function isFlat(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wordsOf(value: Json): string {
  if (value === null) return '–';
  // Responses contain dates in full length, for programs.
  if (typeof value === 'string' && TIMESTAMP.test(value)) return timeOf(value);
  if (typeof value === 'boolean') return value ? text.options.yes : text.options.no;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
