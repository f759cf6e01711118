/** Writes programs in four languages that produce the same document. */

/** The package that the TypeScript program imports. */
const CLIENT = '@platen/client';

export type CodeLanguage = 'curl' | 'typescript' | 'python' | 'shell';

export const CODE_LANGUAGES: readonly { name: CodeLanguage; label: string }[] = [
  { name: 'curl', label: 'curl' },
  { name: 'typescript', label: 'TypeScript' },
  { name: 'python', label: 'Python' },
  { name: 'shell', label: 'Command line' },
];

export interface Call {
  /** The address of the service, with `/v1` and without a slash at its end. */
  base: string;
  id: string;
  /** JSON text. */
  data: string;
}

/** Data of more characters are read from a file, because a page of JSON makes a command unreadable. */
const INLINE = 1_500;

/** @returns a program that writes the document to `document.pdf`; the token comes from the environment */
export function codeFor(language: CodeLanguage, call: Call): string {
  const { base, id } = call;
  const root = base.replace(/\/v1$/, '');
  const data = compact(call.data);
  switch (language) {
    case 'curl':
      return [
        `curl -sS --fail-with-body ${quote(`${base}/render/pdf/${id}`)} \\`,
        `  -H "Authorization: $PLATEN_TOKEN" \\`,
        `  -F render_data=${data === null ? '@data.json' : quote(data)} \\`,
        `  -o document.pdf`,
      ].join('\n');
    case 'shell':
      return [
        `export PLATEN_URL=${quote(root)}`,
        `${data === null ? '' : `printf %s ${quote(data)} | `}platen render ${quote(id)} --data ${data === null ? 'data.json' : '-'} --output document.pdf`,
      ].join('\n');
    case 'typescript':
      return `${data === null ? "import { readFile } from 'node:fs/promises';\n" : ''}import { Platen } from '${CLIENT}';

const data = ${data === null ? "await readFile('data.json', 'utf8')" : indented(call.data, '')};

const platen = new Platen({ url: ${JSON.stringify(root)}, token: process.env.PLATEN_TOKEN ?? '' });
await platen.render(${JSON.stringify(id)}, data).toFile('document.pdf');`;
    case 'python':
      return `import json
import os

import requests

${data === null ? 'with open("data.json", encoding="utf-8") as file:\n    data = json.load(file)' : `data = json.loads(r"""\n${indented(call.data, '')}\n""")`}

answer = requests.post(
    "${base}/render/pdf/${id}",
    headers={"Authorization": os.environ["PLATEN_TOKEN"]},
    files={"render_data": (None, json.dumps(data))},
)
answer.raise_for_status()
with open("document.pdf", "wb") as file:
    file.write(answer.content)`;
  }
}

/** Returns JSON on one line; null if it is too long or invalid. */
function compact(json: string): string | null {
  try {
    const text = JSON.stringify(JSON.parse(json));
    // A raw string of Python cannot contain its own delimiter.
    return text.length > INLINE || text.includes('"""') ? null : text;
  } catch {
    return null;
  }
}

function indented(json: string, indent: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replaceAll('\n', `\n${indent}`);
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
