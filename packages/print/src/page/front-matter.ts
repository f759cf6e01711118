import { PlatenError } from '@platen/core/errors';

/** Front matter: YAML between two lines of `---` at the beginning of a markdown file. */

/** A markdown text and its front matter. */
export interface MarkdownParts {
  /** YAML; null if there is none. */
  front: string | null;
  body: string;
}

/**
 * Removes the front matter from a text. An unclosed one is content, because a horizontal rule is written the same
 * way.
 */
export function markdownParts(text: string): MarkdownParts {
  const [first, ...lines] = text.split(/\r\n|[\r\n]/);
  if (first?.trimEnd() !== '---') return { front: null, body: text };
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  if (end === -1) return { front: null, body: text };
  return { front: lines.slice(0, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** Maximum number of YAML aliases, against exponential expansion. */
const MAX_ALIASES = 50;

/**
 * The members of front matter.
 *
 * @throws PlatenError `template_file_invalid` if it is not YAML, or not a mapping
 */
export async function frontMatter(front: string): Promise<Record<string, unknown>> {
  // Loaded on demand. A bundle exposes CommonJS modules as their default export.
  const { default: yaml } = await import('yaml');
  let value: unknown;
  try {
    value = yaml.parse(front, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  } catch (error) {
    // The latter for too many aliases.
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
