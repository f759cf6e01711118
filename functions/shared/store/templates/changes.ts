import { isDeepStrictEqual } from 'node:util';
import type { TemplateContent } from './record.ts';

/** Members of a template's content by their names in the API; options keep their own. */
const NAMES = {
  name: 'name',
  format: 'format',
  description: 'description',
  tags: 'tags',
  templatingEngine: 'templating_engine',
  dataSchema: 'data_schema',
  templateFile: 'template_file',
  headerFile: 'header_file',
  footerFile: 'footer_file',
  styleFiles: 'style_files',
  imageFiles: 'image_files',
  partials: 'partials',
  fonts: 'fonts',
} as const satisfies Partial<Record<keyof TemplateContent, string>>;

/** Returns the names of the differences between two versions, as in the template's JSON. */
export function changesBetween(before: TemplateContent, after: TemplateContent): string[] {
  const members = Object.entries(NAMES) as [keyof typeof NAMES, string][];
  const options = new Set([...Object.keys(before.options), ...Object.keys(after.options)]);
  type Option = keyof TemplateContent['options'];
  return [
    ...members.filter(([key]) => !isDeepStrictEqual(before[key], after[key])).map(([, name]) => name),
    ...[...options].filter((name) => before.options[name as Option] !== after.options[name as Option]),
  ];
}
