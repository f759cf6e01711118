import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SECTIONS } from '../../docs/.vitepress/navigation.ts';

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

/** Files outside docs/ that are pages. */
const OTHERS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];

/** Folders that are parts of a section as a whole. */
const FOLDERS: Readonly<Record<string, string>> = {
  'docs/decisions/': 'contribute/decisions/',
  'docs/errors/': 'reference/errors/',
  'docs/recipes/': 'recipes/',
  'docs/routes/': 'reference/routes/',
  'packages/': 'contribute/packages/',
};

/** Returns every hand-written page, in the order of their files. */
export function writtenSources(root: string): Source[] {
  const found = globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: root }).toSorted();
  return [...OTHERS, ...found].map((file) => ({
    file,
    address: addressOf(file),
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
}

/** Returns the address of a file on the site: in the folder of its section. */
export function addressOf(file: string): string {
  if (file === 'docs/index.md') return 'index.html';
  const folder = Object.keys(FOLDERS).find((start) => file.startsWith(start));
  const name = folder === undefined ? nameOf(file) : `${FOLDERS[folder]}${file.slice(folder.length)}`;
  return name
    .replace(/^docs\//, '')
    .replace(/^(contribute\/packages\/[\w-]+)\/README\.md$/, '$1.md')
    .replace(/(^|\/)README\.md$/, '$1index.html')
    .replace(/\.md$/, '.html');
}

const NAMES: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'SECURITY.md': 'report-a-vulnerability.md',
  'docs/README.md': 'all-documentation.md',
};

/** Returns the section of a file in the navigation, and its name there. */
function nameOf(file: string): string {
  const section = SECTIONS.find(({ groups }) => groups.some(({ pages }) => file in pages));
  const name = NAMES[file] ?? (file.startsWith('docs/') ? file.slice(5) : file.toLowerCase());
  return `${section?.folder ?? 'contribute'}/${name.replace(/^contributing\//, '')}`;
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
