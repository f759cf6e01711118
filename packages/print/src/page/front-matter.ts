import { PlatenError } from '@platen/core/errors';

/** Front matter: YAML between two lines of `---` at the beginning of a markdown file. */

/** A markdown text, taken apart. */
export interface MarkdownParts {
  /** YAML; null where there is none. */
  front: string | null;
  body: string;
}

/** Takes the front matter off a text. One that does not end is none: a rule can be drawn that way. */
export function markdownParts(text: string): MarkdownParts {
  const [first, ...lines] = text.split(/\r\n|[\r\n]/);
  if (first?.trimEnd() !== '---') return { front: null, body: text };
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  if (end === -1) return { front: null, body: text };
  return { front: lines.slice(0, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** Aliases in a document of YAML: more would be a bomb. */
const MAX_ALIASES = 50;

/**
 * The members of front matter.
 *
 * @throws PlatenError `template_file_invalid` where it is no YAML, or no mapping
 */
export async function frontMatter(front: string): Promise<Record<string, unknown>> {
  // Loaded when it is first asked for. A bundle knows CommonJS by its default alone.
  const { default: yaml } = await import('yaml');
  let value: unknown;
  try {
    value = yaml.parse(front, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  } catch (error) {
    // The latter for aliases without end.
    if (!(error instanceof yaml.YAMLError || error instanceof ReferenceError)) throw error;
    const [why = ''] = error.message.split('\n', 1);
    throw notValid(`it is no YAML: ${why.slice(0, 200)}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw notValid('it is no mapping of names to values');
  return value as Record<string, unknown>;
}

function notValid(why: string): PlatenError {
  const message = `The front matter cannot be read: ${why}`;
  return new PlatenError('template_file_invalid', `${message}.`, {
    faults: [{ field: 'file_data', message }],
  });
}
