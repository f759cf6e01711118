import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The pages of the documentation and the fenced blocks in them. */

export interface Block {
  /** Line of the page on which the text begins, from 1. */
  line: number;
  /** What stands behind the opening fence: `sh`, `json`, … or nothing. */
  language: string;
  /** Its title beside other blocks that do the same: `curl`. */
  tab: string | null;
  text: string;
}

/** README.md and every guide, by path from the root of the repository. */
export function pages(): string[] {
  const guides = ['docs', 'docs/recipes', 'docs/samples'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  );
  return ['README.md', ...guides];
}

/** The project's own files whose names end so, by path from the root; nothing that was installed or built. */
export function ownFiles(...endings: string[]): string[] {
  const top = readdirSync('.').filter(
    (name) => !['.git', '.platen', 'node_modules', 'cdk.out'].includes(name),
  );
  const isOwn = (file: string): boolean => !/(^|\/)(node_modules|dist)\//.test(file);
  return endings.flatMap((ending) =>
    [
      ...top.filter((name) => name.endsWith(`.${ending}`)),
      ...globSync(top.map((name) => `${name}/**/*.${ending}`)),
    ].filter(isOwn),
  );
}

/** @returns the fenced blocks of a page, in their order */
export function blocks(page: string): Block[] {
  const text = readFileSync(page, 'utf8');
  return Array.from(text.matchAll(/^```(\w*)(?: \[([^\]\n]+)\])?\n(.*?)^```$/gms), (match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    language: match[1] ?? '',
    tab: match[2] ?? null,
    text: match[3] ?? '',
  }));
}

/** @returns the blocks of one language of a page */
export function blocksIn(page: string, language: string): Block[] {
  return blocks(page).filter((block) => block.language === language);
}
