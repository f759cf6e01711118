import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  effectOf,
  OPTION_NAMES,
} from '../../packages/contract/src/option-effects.ts';
import { renderOptionsSchema } from '../../packages/contract/src/options.ts';

const SHOWN = { honoured: 'yes', none: '–', refused: '422' };
const page = readFileSync('docs/options.md', 'utf8');
const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));

it('the table lists every option', () => {
  expect(OPTION_NAMES.toSorted()).toEqual(Object.keys(renderOptionsSchema.shape).toSorted());
});

it('docs/options.md lists the effect of every option on every kind of document', () => {
  const [head = '', , ...rows] = /^\| option [^]*?\n\n/m.exec(page)?.[0].trim().split('\n') ?? [];
  const kinds = Object.keys(DOCUMENT_KINDS) as DocumentKind[];
  expect(cellsOf(head)).toEqual(['option', ...kinds]);
  expect(rows.map(cellsOf)).toEqual(
    OPTION_NAMES.map((option) => [option, ...kinds.map((kind) => SHOWN[effectOf(option, kind)])]),
  );
});
