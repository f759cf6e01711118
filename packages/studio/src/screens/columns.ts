import type { Schema } from '../api/types.ts';
import { leavesOf, schemaAt } from '../editor/fields.ts';
import { typeOf } from '../editor/made-up.ts';
import type { Rows } from './records.ts';

/** Matches the columns of records with the fields of a template: `customer.name`, `items[0].price`. */

/** Returns the field that a column has the name of: `items[].price` for `items[1].price`. */
const fieldOf = (column: string): string => column.replaceAll(/\[\d+\]/g, '[]');

interface Matching {
  /** Columns that the template uses by their own names. */
  used: ReadonlySet<string>;
  /** Fields that no column has the name of, as columns are named: the first row of a list. */
  missing: string[];
}

/** @param isNested whether a column may have objects and lists, as in JSON */
export function matchingOf(schema: Schema, { columns }: Pick<Rows, 'columns'>, isNested: boolean): Matching {
  const fields = leavesOf(schema).filter((field) => field !== '');
  const supplies = (column: string, field: string): boolean => {
    const named = fieldOf(column);
    return named === field || (isNested && (field.startsWith(`${named}.`) || field.startsWith(`${named}[]`)));
  };
  return {
    used: new Set(columns.filter((column) => fields.some((field) => supplies(column, field)))),
    missing: fields
      .filter((field) => !columns.some((column) => supplies(column, field)))
      .map((field) => field.replaceAll('[]', '[0]')),
  };
}

/** Returns the columns whose first values a field can have. */
export function fittingColumns(schema: Schema, field: string, { columns, rows }: Rows): string[] {
  const path = field.split('.').map((name) => name.replace(/\[\d+\]$/, ''));
  const type = typeOf(schemaAt(schema, path) ?? {});
  if (type !== 'number' && type !== 'integer') return columns;
  return columns.filter((column) =>
    rows.every((row) => {
      const value = row[column] ?? '';
      return typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(Number(value)));
    }),
  );
}
