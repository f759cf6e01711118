import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownFiles } from './pages.ts';

/** Clauses of the interface (docs/interface) and what cites them. */

const files = ownFiles('ts', 'mts', 'mjs', 'py', 'md', 'sh', 'yaml', 'html');

/** Numbers of the clauses, in the order of the pages. */
function clauses(): number[] {
  return ['clauses', 'extensions']
    .flatMap((page) => [...readFileSync(`docs/interface/${page}.md`, 'utf8').matchAll(/^### I-(\d+) /gm)])
    .map(([, number]) => Number(number));
}

/** Every `I-n` in a text, and where a range such as `I-23 to I-25` begins and ends. */
function citations(text: string): number[] {
  return [...text.matchAll(/\bI-(\d+)\b/g)].map(([, number]) => Number(number));
}

describe('the clauses of the interface', () => {
  it('are numbered from 1 without a gap', () => {
    expect(clauses()).toEqual(Array.from({ length: 58 }, (_, i) => i + 1));
  });

  it('exist if they are cited', () => {
    const known = new Set(clauses());
    const wrong = files.flatMap((file) =>
      citations(readFileSync(file, 'utf8'))
        .filter((number) => !known.has(number))
        .map((number) => `${file}: I-${number}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are cited by their ids; four digits are a record of docs/decisions', () => {
    const records = new Set(
      files.flatMap((file) => /^docs\/decisions\/(?:archive\/)?(\d{4})-/.exec(file)?.[1] ?? []),
    );
    const wrong = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:decision|extension|clause)s? (\d+)\b/gi)]
        .filter(([, number]) => number === undefined || !records.has(number))
        .map(([citation]) => `${file}: ${citation}`),
    );
    expect(wrong).toEqual([]);
  });
});
