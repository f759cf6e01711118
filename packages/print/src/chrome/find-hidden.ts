import { COVERING } from '../covering.ts';
import { CUT_TEXT } from '../cut-text.ts';
import {
  CLOSED,
  COUNTING,
  FRAMES,
  LINKLESS,
  lossWarnings,
  MISPLACED_BREAKS,
  picturedScript,
  REPEATING,
  repeatsText,
  UNDRAWN,
  withoutTags,
} from '../losses.ts';
import type { HtmlDocument, PrintOptions } from '../print.ts';
import { OPEN_SCROLLERS } from '../scroll-containers.ts';
import type { Gate } from './gate.ts';
import { DIVIDED, high, highestPage, LARGE_LETTERS, SPANNED } from './page-ends.ts';
import type { ChromePage } from './page.ts';

/** Signs of frames, also of those that scripts make. */
const HAS_FRAMES = /iframe|<object|<embed/i;

/**
 * Opens what a loaded document hides, and tells what it loses.
 *
 * @returns whether parts of it will have no tags, and whether text may be drawn several times
 */
export async function findHidden(
  page: ChromePage,
  { facts }: Gate,
  { html, warn, untagged }: HtmlDocument,
  options: PrintOptions,
): Promise<{ isSuspect: boolean; repeats: boolean }> {
  if (!facts.mayScroll && !facts.mayLose) return { isSuspect: false, repeats: false };
  const hidden = facts.mayScroll ? `{${OPEN_SCROLLERS}}${CUT_TEXT}` : 'const cut = [];';
  // A single page divides and repeats nothing.
  const atEnds = options.fitsContent
    ? 'const covering = [], tall = [], heads = [], spanned = [], divided = [], misplaced = [];'
    : `${LARGE_LETTERS}${MISPLACED_BREAKS}${COVERING}${high(highestPage(page.sheet(options), options.scale))}${SPANNED}${DIVIDED}`;
  const lost = facts.mayLose
    ? `${picturedScript(true)}${FRAMES}${LINKLESS}${UNDRAWN}${COUNTING}${CLOSED}${atEnds}${REPEATING} return { cut, pictured, unread, framed, linkless, undrawn, covering, counting, tall, heads, spanned, divided, misplaced, closed, repeats };`
    : 'return { cut };';
  // Loaded on demand: few documents have frames.
  if (HAS_FRAMES.test(html)) await page.evaluate((await import('./open-frames.ts')).OPEN_FRAMES);
  const found = await page.evaluate(`${hidden}${lost}`);
  for (const text of lossWarnings(found)) warn?.(text);
  const elements = withoutTags(found);
  untagged?.(elements, 'hidden');
  return { isSuspect: elements.length > 0, repeats: repeatsText(found) };
}

/** Tells what scripts of a loaded document could not draw. */
export async function findUndrawn(page: ChromePage, { facts, warn }: HtmlDocument): Promise<void> {
  if (!facts.hasScripts) return;
  for (const text of lossWarnings(await page.evaluate(`${UNDRAWN} return { undrawn };`))) warn?.(text);
}
