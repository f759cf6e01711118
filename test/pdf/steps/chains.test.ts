import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { IS_LONG } from '../../support/long.ts';
import { expectSound, run } from '../fixtures.ts';
import { richPdf } from '../rich.ts';
import { chain } from './chain.ts';

/** Chains of steps give what their steps give one after the other, each carried out alone (I-46). */

const directory = mkdtempSync(join(tmpdir(), 'platen-test-chains-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const inputs = [richPdf(at('a.pdf'), 'alpha', 2), richPdf(at('b.pdf'), 'beta', 1)];
writeFileSync(at('note.txt'), 'a note');
copyFileSync(at('b.pdf'), at('paper.pdf'));

const STEPS: Readonly<Record<string, Step>> = {
  reorder: { name: 'pages', options: { pages: '3,1-2' } },
  repeat: { name: 'pages', options: { pages: '1,1,2' } },
  turn: { name: 'rotate', options: { angle: 90, pages: '1' } },
  back: { name: 'rotate', options: { angle: 270 } },
  stamp: { name: 'stamp', options: { text: 'Stamp', position: 'top-right', pages: '2-' } },
  mark: { name: 'watermark', options: { text: 'Mark', angle: 45, opacity: 0.3, size: 60 } },
  paper: { name: 'letterhead', options: { pdf: at('paper.pdf') } },
  number: { name: 'page_numbers', options: {} },
  attach: { name: 'attach', options: { files: [{ file: at('note.txt'), name: 'added.txt' }] } },
  outline: { name: 'outline', options: { items: [{ title: 'Start', page: 1 }] } },
  title: { name: 'metadata', options: { Title: 'Chain' } },
  shrink: { name: 'scale', options: { paper: { width: 420, height: 595, follows: true } } },
  impose: { name: 'impose', options: { columns: 2, rows: 2 } },
  fill: { name: 'fill', options: { data: { f1: 'filled' }, images: {} } },
  hide: { name: 'redact', options: { words: ['value'], areas: [{ page: 1, x: 2, y: 2, w: 5, h: 4 }] } },
  archive: { name: 'conform', options: { levels: ['pdf/a-2b'], onViolation: 'warn', title: 'T' } },
  flatten: { name: 'flatten', options: {} },
  compress: { name: 'compress', options: {} },
  linearize: { name: 'linearize', options: {} },
};

/** What can be seen and read of a document. */
function seen(path: string): Record<string, string> {
  const json = run(
    'qpdf',
    '--json',
    '--json-key=outlines',
    '--json-key=attachments',
    '--json-key=pagelabels',
    path,
  );
  const pixels = execFileSync('pdftoppm', ['-r', '12', '-gray', path], { maxBuffer: 2 ** 26 });
  return {
    json: json.replace(/"(?:dest|object|filespec|modificationdate)": .*/g, '').replace(/\d+ 0 R/g, 'R'),
    pixels: pixels.toString('base64'),
    text: run('pdftotext', '-layout', path, '-'),
    facts: run('pdfinfo', path).replace(/^(?:File size|PDF version|ModDate|CreationDate):.*$/gm, ''),
  };
}

/** Where the steps of a name, such as `turn stamp`, end when each is carried out alone; beginnings are shared. */
const alone = new Map<string, string>([['', at('joined.pdf')]]);
async function oneByOne(names: readonly string[]): Promise<string> {
  const key = names.join(' ');
  const known = alone.get(key);
  if (known !== undefined) return known;
  const before = await oneByOne(names.slice(0, -1));
  const path = at(`${alone.size}.pdf`);
  alone.set(key, await chain([before], path, stepsOf(names.slice(-1))));
  return path;
}

function stepsOf(names: readonly string[]): Step[] {
  return names.map((name) => STEPS[name]).filter((step) => step !== undefined);
}

/** Each step is in one of them. */
const CHAINS = [
  'reorder turn stamp number title linearize',
  'reorder hide attach title',
  'turn stamp paper mark number title',
  'turn back hide mark',
  'repeat number flatten compress',
  'repeat impose number outline',
  'stamp hide reorder repeat',
  'fill hide impose flatten turn shrink',
  'compress fill turn number archive',
];

/** Those that `npm run test:long` has besides. */
const MORE = [
  'reorder turn stamp',
  'reorder turn mark',
  'reorder turn stamp number',
  'reorder turn stamp number compress',
  'reorder attach outline',
  'turn reorder stamp',
  'turn shrink stamp reorder',
  'turn stamp reorder number',
  'turn fill stamp flatten',
  'turn stamp flatten number',
  'turn stamp paper number',
  'repeat turn number',
  'repeat turn stamp mark',
  'shrink impose mark paper number',
  'stamp mark number attach',
  'stamp mark number outline title',
  'mark flatten reorder number',
  'paper number stamp turn',
  'paper number attach linearize',
  'hide flatten shrink stamp',
  'flatten compress number',
];

it('tests thirty different chains, and each step in the first ones', () => {
  expect(new Set([...CHAINS, ...MORE]).size).toBe(30);
  expect(new Set(CHAINS.flatMap((line) => line.split(' ')))).toEqual(new Set(Object.keys(STEPS)));
});

it.each(IS_LONG ? [...CHAINS, ...MORE] : CHAINS)('%s', async (line) => {
  const names = line.split(' ');
  if (alone.size === 1) await chain(inputs, at('joined.pdf'), []);
  const together = await chain(inputs, at('together.pdf'), stepsOf(names));
  expectSound(together);
  expect(seen(together)).toEqual(seen(await oneByOne(names)));
});
