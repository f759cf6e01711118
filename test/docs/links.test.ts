import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownFiles } from './pages.ts';

/** Links between the pages of the documentation. */

const pages = ownFiles('md');

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The anchors that GitHub gives the headings of a page. */
function anchors(page: string): Set<string> {
  const headings = readFileSync(page, 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

function brokenLinks(page: string): string[] {
  return Array.from(
    withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g),
    ([, link = '']) => link,
  )
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && statSync(target).isFile() && !anchors(target).has(anchor);
    })
    .map((link) => `${page}: ${link}`);
}

it('every link between pages has an existing page and heading as its target', () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

it('every path of the code that newcomers are sent to exists', () => {
  const paths = ['CONTRIBUTING.md', 'docs/architecture.md'].flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(
        /`((?:packages|functions|lib|bin|layers|docs|test|bench|clients)\/[\w./-]+)`/g,
      ),
      ([, found = '']) => found,
    ),
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((found) => !existsSync(found))).toEqual([]);
});
