import type { HtmlBlock, HtmlRun } from './html/model.ts';
import { runsOf as runsOfBlocks } from './html/model.ts';
import { readHtml } from './html/parse.ts';

/** Formatted text in the data: python-docx-template's RichText, written as JSON. */

/** A stretch of text with one format. */
export interface RichRun {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  superscript?: boolean;
  subscript?: boolean;
  /** `single` and the other underline names of WordprocessingML. */
  underline?: string;
  /** Six hexadecimal digits. */
  color?: string;
  highlight?: string;
  /** Points. */
  size?: number;
  font?: string;
  /** Name of a character style in the template. */
  style?: string;
  url?: string;
}

/** Returns the runs of all paragraphs, for `{{r }}`. HTML may add pictures. */
export function readRich(json: string): HtmlRun[] {
  return runsOf(JSON.parse(json) as unknown);
}

/** Returns the paragraphs of a value for `{{p }}`: each element of a list is one. */
export function readRichParagraphs(json: string): HtmlRun[][] {
  const value = JSON.parse(json) as unknown;
  return Array.isArray(value) ? value.map(runsOf) : [runsOf(value)];
}

/** Returns the blocks that `html` or `markdown` produced; null for any other value. */
export function readHtmlBlocks(json: string): HtmlBlock[] | null {
  const value = JSON.parse(json) as unknown;
  if (typeof value !== 'object' || value === null || !('html' in value)) return null;
  return typeof value.html === 'string' ? readHtml(value.html) : null;
}

function runsOf(value: unknown): HtmlRun[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(runsOf);
  if (typeof value === 'object') {
    const members = value as Record<string, unknown>;
    if (Array.isArray(members['rich'])) return members['rich'].flatMap(runsOf);
    if (typeof members['html'] === 'string') return runsOfBlocks(readHtml(members['html']));
    return [styledRun(members)];
  }
  return [{ text: plainText(value) }];
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function styledRun(members: Record<string, unknown>): RichRun {
  const run: RichRun = { text: plainText(members['text']) };
  for (const name of ['bold', 'italic', 'strike', 'superscript', 'subscript'] as const) {
    if (typeof members[name] === 'boolean') run[name] = members[name];
  }
  for (const name of ['font', 'style', 'url'] as const) {
    const value = members[name];
    if (typeof value === 'string' && value !== '') run[name] = value;
  }
  const { underline, size } = members;
  if (underline === true) run.underline = 'single';
  else if (typeof underline === 'string' && /^[a-zA-Z]{1,20}$/.test(underline)) run.underline = underline;
  if (typeof size === 'number' && size >= 1 && size <= 1638) run.size = size;
  const color = colour(members['color']);
  if (color) run.color = color;
  const highlight = colour(members['highlight']);
  if (highlight) run.highlight = highlight;
  return run;
}

function colour(value: unknown): string | null {
  return typeof value === 'string' ? (/^#?([\da-f]{6})$/i.exec(value)?.[1]?.toUpperCase() ?? null) : null;
}
