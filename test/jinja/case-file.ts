import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RenderCase } from './oracle.ts';

/**
 * A test case is a file of sections, each with a line `=== name` above it:
 *
 * - `template`: the template; `template <name>`: another one that it can include, import or extend
 * - `context`: the data as JSON (`{"$datetime": "…"}` is a date)
 * - `options`: options of the environment as JSON
 * - `output`: the rendered text, or `error`: the whole message with its caret
 * - `differs`: why Python's Jinja2 does something else, where it does
 */
export interface CaseFile {
  case: RenderCase;
  expected: { output: string } | { error: string };
  differs: string | undefined;
}

const HEADER = /^=== (.+)$/gmu;

/** Sections by name; the line break before the next header belongs to the header. */
function sections(text: string): Map<string, string> {
  const headers = [...text.matchAll(HEADER)];
  return new Map(
    headers.map((header, i) => {
      const start = header.index + header[0].length + 1;
      const end = (headers[i + 1]?.index ?? text.length) - 1;
      return [header[1] ?? '', text.slice(start, Math.max(start, end))] as const;
    }),
  );
}

function readCase(name: string, text: string): CaseFile {
  const parts = sections(text);
  const template = parts.get('template');
  const output = parts.get('output');
  const error = parts.get('error');
  if (template === undefined || (output === undefined) === (error === undefined)) {
    throw new Error(`${name}: a case has a template, and an output or an error`);
  }
  const templates: Record<string, string> = {};
  for (const [section, content] of parts) {
    if (section.startsWith('template ')) templates[section.slice('template '.length)] = content;
  }
  const options = JSON.parse(parts.get('options') ?? '{}') as RenderCase['options'];
  return {
    case: { name, template, templates, context: parts.get('context') ?? '{}', ...(options && { options }) },
    expected: output === undefined ? { error: error ?? '' } : { output },
    differs: parts.get('differs'),
  };
}

/** Every case below a folder, in the order of the names. */
export function readCases(folder: string): CaseFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .sort()
    .map((path) => {
      const name = relative('.', path).replace(/\.txt$/u, '');
      return readCase(name, readFileSync(join(folder, path), 'utf8'));
    });
}
