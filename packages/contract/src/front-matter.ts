import { frontMatter, markdownParts } from '@platen/print/front-matter';
import { frontMatterSchema, type FrontMatter } from './options.ts';
import { readFields } from './reading.ts';

/** Name of the field in errors and warnings. */
const FIELD = 'front_matter';

/**
 * Reads the options in the front matter of a markdown template: a template's options, under the same names.
 *
 * @param warnings receives a warning for each unknown name
 * @throws PlatenError as `frontMatter` and `readFields`
 */
export async function frontMatterOptions(text: string, warnings: string[]): Promise<FrontMatter> {
  const { front } = markdownParts(text);
  if (front === null) return {};
  // Title and language describe the document and are not options.
  const { title: _, language: __, ...options } = await frontMatter(front);
  const given = new Map([[FIELD, JSON.stringify(options)]]);
  return readFields(frontMatterSchema, given, warnings)[FIELD] ?? {};
}
