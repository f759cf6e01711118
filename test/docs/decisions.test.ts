import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** The records of decisions: each has a number of its own, a status, a date, and a place in a list. */

const FOLDER = 'docs/decisions';
const records = globSync(`${FOLDER}/{,archive/}[0-9]*.md`).toSorted();
const numberOf = (file: string): string => path.basename(file).slice(0, 4);
const titleOf = (file: string): string => /^# (\d{4} .+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

describe('decision records', () => {
  it.each(records)('%s has a status and a date below its title', (file) => {
    const [title = '', , status = ''] = readFileSync(file, 'utf8').split('\n');
    expect(title).toMatch(new RegExp(`^# ${numberOf(file)} [A-Z@]`));
    const [, by = ''] =
      /^Status: (?:accepted|superseded (?:in part )?by (.+))\. Date: 20\d\d-\d\d-\d\d\.$/.exec(status) ??
      expect.unreachable(`${status} is no status`);
    for (const [, link = ''] of by.matchAll(/\]\(([^)]+)\)/g))
      expect(records).toContain(path.join(path.dirname(file), link));
  });

  it('have numbers of their own', () => {
    expect(new Set(records.map(numberOf)).size).toBe(records.length);
  });

  it('are listed with their titles, about forty of them at most where readers begin', () => {
    for (const folder of [FOLDER, `${FOLDER}/archive`]) {
      const list = readFileSync(`${folder}/README.md`, 'utf8').matchAll(/^- \[(.+)\]\((\d[^)]+)\)$/gm);
      const listed = Array.from(list, ([, title, file = '']) => [path.join(folder, file), title]);
      const here = records.filter((file) => path.dirname(file) === folder);
      expect(listed.toSorted()).toEqual(here.map((file) => [file, titleOf(file)]));
      if (folder === FOLDER) expect(here.length).toBeLessThan(42);
    }
  });
});
