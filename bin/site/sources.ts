import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Lists the Markdown files that become pages, with their addresses on the site. */

/** Where the pages lie under their addresses while the site is built, from the root of the repository. */
export const SOURCES_FOLDER = '.platen/docs-source';

export interface Source {
  /** Starts at the root of the repository. For generated pages, the path that the file would have. */
  file: string;
  /** Starts at the root of the site and ends with `.html`. */
  address: string;
  text: string;
}

/** Files outside docs/, by address. */
const OTHERS: Readonly<Record<string, string>> = {
  'README.md': 'overview.html',
  'CONTRIBUTING.md': 'contributing.html',
  'CHANGELOG.md': 'changelog.html',
  'SECURITY.md': 'reporting.html',
  'CODE_OF_CONDUCT.md': 'conduct.html',
  'docs/README.md': 'all.html',
};

/** Returns every hand-written page, in the order of their files. */
export function writtenSources(root: string): Source[] {
  const found = globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: root }).toSorted();
  return [...new Set([...Object.keys(OTHERS), ...found])].map((file) => ({
    file,
    address: addressOf(file),
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
}

/** Returns the address of a file on the site. */
export function addressOf(file: string): string {
  const other = OTHERS[file];
  if (other !== undefined) return other;
  const [, library] = /^packages\/([\w-]+)\/README\.md$/.exec(file) ?? [];
  if (library !== undefined) return `packages/${library}.html`;
  return file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.html')
    .replace(/\.md$/, '.html');
}

/** Returns the title of a page: its first heading, as text. */
export function titleOf(text: string): string {
  const heading = /^# (.+)$/m.exec(text)?.[1] ?? 'Platen';
  return withoutLinks(heading).replaceAll('`', '');
}

/** Replaces links by their texts. */
function withoutLinks(text: string): string {
  // bounded: a paragraph of our own documentation
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** Returns the first sentence below the title, as text. */
export function summaryOf(text: string): string {
  const [, afterTitle = ''] = text.split(/^# .+$/m);
  // Every second part between fences is code.
  const prose = afterTitle.split(/^```.*$/m).filter((_, index) => index % 2 === 0);
  const paragraph = prose
    .join('')
    .split(/\n\n+/)
    .map((part) => part.trim())
    .find((part) => /^[\p{L}`*[]/u.test(part));
  const plain = withoutLinks(paragraph ?? '')
    .replaceAll(/[`*]/g, '')
    .replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
