import { frontMatter, markdownParts } from '@platen/print/page/front-matter';
import { frontMatterSchema, type FrontMatter } from './options.ts';
import { readFields } from './reading.ts';

/** The name of the place in errors and warnings. */
const FIELD = 'front_matter';

/**
 * The options that a markdown template says in its front matter: those of a template, by the same names.
 *
 * @param warnings gets the names of those that are unknown
 * @throws PlatenError as `frontMatter` and `readFields`
 */
export async function frontMatterOptions(text: string, warnings: string[]): Promise<FrontMatter> {
  const { front } = markdownParts(text);
  if (front === null) return {};
  // What the document says of itself is no option.
  const { title: _, language: __, ...options } = await frontMatter(front);
  const given = new Map([[FIELD, JSON.stringify(options)]]);
  return readFields(frontMatterSchema, given, warnings)[FIELD] ?? {};
}
