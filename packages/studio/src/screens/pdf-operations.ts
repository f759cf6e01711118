import type { Area } from '../pdf/area.ts';
import { text } from '../text.ts';

/** The PDF tools and their fields: those of the routes below `/v1/pdf`. */

export interface ToolField {
  name: keyof typeof text.tools.fields;
  kind: 'text' | 'password' | 'number' | 'choice' | 'colour';
  initial: string;
  choices?: readonly string[];
  hint?: string;
  required?: boolean;
}

export interface Tool {
  /** Path below `/v1/pdf/`. */
  operation: keyof typeof text.tools.operations;
  many?: boolean;
  /** Whether its files are arranged page by page; the route is then `process`, with the steps of the arrangement. */
  arranges?: boolean;
  /** Most boxes that can be drawn on the pages. */
  areas?: number;
  /** Whether the response is a description and not a file. */
  asks?: boolean;
  fields: readonly ToolField[];
  /** The fields in the form that the route requires. */
  form?: (values: Readonly<Record<string, string>>, areas: readonly Area[]) => Record<string, string>;
}

const POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'center-left',
  'center',
  'center-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;

const pages: ToolField = {
  name: 'pages',
  kind: 'text',
  initial: '',
  hint: text.tools.pagesHint,
};

export const TOOLS: readonly Tool[] = [
  {
    operation: 'merge',
    many: true,
    fields: [],
  },
  {
    operation: 'process',
    many: true,
    arranges: true,
    fields: [],
  },
  {
    operation: 'split-zip',
    fields: [
      {
        name: 'ranges',
        kind: 'text',
        initial: '1-1, 2-3',
        hint: text.tools.rangesHint,
        required: true,
      },
    ],
    form: ({ ranges = '' }) => ({ splits: JSON.stringify(splitsOf(ranges)) }),
  },
  {
    operation: 'rotate',
    fields: [{ name: 'angle', kind: 'choice', initial: '90', choices: ['90', '180', '270'] }, pages],
  },
  {
    operation: 'stamp',
    fields: [
      { name: 'text', kind: 'text', initial: text.tools.draft, required: true },
      { name: 'position', kind: 'choice', initial: 'center', choices: POSITIONS },
      { name: 'angle', kind: 'number', initial: '45' },
      { name: 'opacity', kind: 'number', initial: '0.3', hint: text.tools.opacityHint },
      { name: 'size', kind: 'number', initial: '72', hint: text.tools.sizeHint },
      { name: 'color', kind: 'colour', initial: '#b3261e' },
      pages,
    ],
  },
  {
    operation: 'redact',
    areas: 1000,
    fields: [{ name: 'words', kind: 'text', initial: '', hint: text.tools.wordsHint }],
    form: ({ words = '' }, areas) => ({
      ...(areas.length === 0 ? {} : { areas: JSON.stringify(areas) }),
      ...(words === '' ? {} : { words: JSON.stringify(listOf(words)) }),
    }),
  },
  {
    operation: 'sign',
    areas: 1,
    fields: [
      { name: 'key', kind: 'text', initial: '', hint: text.tools.keyHint, required: true },
      { name: 'level', kind: 'choice', initial: 'b-b', choices: ['b-b', 'b-t', 'b-lt'] },
      { name: 'reason', kind: 'text', initial: '' },
      { name: 'location', kind: 'text', initial: '' },
      { name: 'seen', kind: 'text', initial: text.tools.signed, hint: text.tools.seenHint },
    ],
    form: ({ seen = text.tools.signed, ...values }, [area]) => ({
      ...values,
      ...(area === undefined ? {} : { appearance: JSON.stringify({ ...area, text: seen }) }),
    }),
  },
  {
    operation: 'verify',
    asks: true,
    fields: [],
  },
  {
    operation: 'compress',
    fields: [],
  },
  {
    operation: 'encrypt',
    fields: [{ name: 'password', kind: 'password', initial: '', required: true }],
  },
  {
    operation: 'info',
    asks: true,
    fields: [],
  },
  {
    operation: 'form',
    asks: true,
    fields: [],
  },
];

/** Parses `1-2, 5` to the first and last page of each file. */
export function splitsOf(ranges: string): [number, number][] {
  return listOf(ranges).map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number(first), Number(last)];
  });
}

/** Returns the words of a comma-separated list. */
function listOf(words: string): string[] {
  return words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Leaves out empty fields, for which the route has defaults. */
export function formOf(
  tool: Tool,
  values: Readonly<Record<string, string>>,
  areas: readonly Area[] = [],
): Record<string, string> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  return tool.form?.(given, areas) ?? given;
}
