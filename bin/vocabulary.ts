import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Words that texts for users avoid, with the usual word: in the guides, the reference, the pages of errors and the
 * interface of the Studio. docs/contributing/style.md has the rules behind the list.
 */

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again'],
  // The title of a problem has it: it is part of the interface.
  [/(?<!cannot be )\bhonou?r(?:s|ed)?\b/i, 'apply, support'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bsticks? out\b/i, 'overflows'],
  [/\bgood until\b/i, 'expires'],
  [/\boff the list\b/i, 'remove'],
  [/\btak(?:e|es|en) out\b/i, 'remove'],
  [/\bput(?:s)? back\b/i, 'restore'],
  [/\b(?:be|is|are) had\b/i, 'is available'],
  [/\blooked at\b/i, 'checked'],
  [/\bin vain\b/i, 'without success'],
  [/\bin work\b/i, 'being processed'],
  [/\bgives? way\b/i, 'fails'],
  [/\bforeign (?:object|text|file)s?\b/i, 'untrusted'],
  [/\bwhat is meant\b/i, 'name the thing'],
  [/\bno rendering could\b/i, 'can never'],
  [/\bstands? on its own\b/i, 'is independent'],
  [/\bgood for nothing\b/i, 'has no use'],
  [/\b(?:shall|hereby|thereof|therein|thereby|hence|wherein)\b/i, 'a plain word'],
  [/\butili[sz]e(?:s|d)?\b/i, 'use'],
  [/\bin order to\b/i, 'to'],
  [/\b(?:simply|just|easily|obviously|of course)\b/i, 'leave it out'],
  [/\bwho(?:ever)? (?:listens|calls) at\b/i, 'say what to do'],
];

/** Pages that quote reports, or list what was run. */
const EXCLUDED = /^docs\/(?:field-reports|verification|benchmarks|comparisons)\.md$/;
const FILES = [
  'README.md',
  'docs/*.md',
  'docs/{recipes,samples}/*.md',
  'docs/.vitepress/errors/*.ts',
  'packages/studio/src/{text,text/*}.ts',
];

/** @returns each word that is to be replaced, with its file and line */
export function vocabularyFaults(root: string): string[] {
  return globSync(FILES, { cwd: root })
    .filter((file) => !EXCLUDED.test(file))
    .toSorted()
    .flatMap((file) => faultsIn(file, readFileSync(path.join(root, file), 'utf8')));
}

/** @param text Markdown, or TypeScript that consists of texts */
export function faultsIn(file: string, text: string): string[] {
  const prose = file.endsWith('.md') ? withoutCode(text) : text;
  return prose.split('\n').flatMap((line, index) =>
    WORDS.flatMap(([word, better]) => {
      const [found] = word.exec(line) ?? [];
      return found === undefined ? [] : [`${file}:${index + 1}: “${found}”: ${better}`];
    }),
  );
}

/** Blanks code, so that lines keep their numbers. */
function withoutCode(text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      const isFence = line.startsWith('```');
      if (isFence) isCode = !isCode;
      return isFence || isCode ? '' : line.replaceAll(/`[^`]*`/g, '');
    })
    .join('\n');
}
