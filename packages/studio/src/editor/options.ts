import type { Schema, Template } from '../api/types.ts';

/** Options of a template as a form; the contract defines the options and their types. */

/** Members of a template's data that are not options of its pages. */
const NOT_OPTIONS: ReadonlySet<string> = new Set(['name', 'format', 'note', 'remove', 'data_schema']);

/** Options for finding a template, on which its pages do not depend. */
export const UNSEEN: ReadonlySet<string> = new Set(['description', 'tags']);

export interface OptionField {
  name: string;
  label: string;
  description: string;
  kind: 'flag' | 'choice' | 'number' | 'text' | 'words';
  choices: readonly string[];
  minimum: number | undefined;
  maximum: number | undefined;
}

/** Options that may be removed, because a template does not need them. */
export const REMOVABLE: ReadonlySet<string> = new Set(['page_range', 'filename', 'css_page', 'description']);

/** @param schema `TemplateChange` of the OpenAPI document */
export function optionFields(schema: Schema): OptionField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]): OptionField[] => {
    const description = given.description ?? '';
    if (NOT_OPTIONS.has(name) || description.startsWith('Alias of') || description.startsWith('Refused'))
      return [];
    const member = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
    const kind = kindOf(member);
    if (kind === null) return [];
    return [
      {
        name,
        label: labelOf(name),
        description,
        kind,
        choices: member.enum ?? [],
        minimum: member.minimum,
        maximum: member.maximum,
      },
    ];
  });
}

/** Returns a label: "Margin top" for `margin_top`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function kindOf({ type, enum: choices, items }: Schema): OptionField['kind'] | null {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array') return items?.type === 'string' ? 'words' : null;
  return type === 'string' ? 'text' : null;
}

/** Returns the distinct words of a comma-separated list. */
export function wordsOf(list: string): string[] {
  const words = list.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Members of a template that are not options: the properties that the service sets. */
const RECORD: ReadonlySet<string> = new Set([
  'id',
  'name',
  'format',
  'template_file',
  'header_file',
  'footer_file',
  'style_files',
  'image_files',
  'partials',
  'fonts',
  'samples',
  'version',
  'published_version',
  'latest_version',
  'note',
  'data_schema',
  'timestamp',
]);

/** Returns the options that a template sets, without the others. */
export function optionsOf(template: Template): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template).filter(([name, value]) => !RECORD.has(name) && value !== null),
  );
}

/** Returns `template_data` for the changes: new values, and in `remove` the names of removed ones. */
export function changedOptions(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const remove: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const value = now[name];
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    if (value === undefined || value === null || value === '') {
      if (REMOVABLE.has(name) && before[name] !== undefined) remove.push(name);
    } else changed[name] = value;
  }
  return remove.length === 0 ? changed : { ...changed, remove };
}

/** Returns the text of an option's value for a form field. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : '';
}
