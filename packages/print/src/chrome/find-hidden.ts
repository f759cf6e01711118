import { COVERING } from '../covering.ts';
import { CUT_TEXT } from '../cut-text.ts';
import {
  COUNTING,
  FRAMES,
  HIGH,
  LINKLESS,
  lossWarnings,
  picturedScript,
  REPEATING,
  repeatsText,
  withoutTags,
} from '../losses.ts';
import type { HtmlDocument } from '../print.ts';
import { OPEN_SCROLLERS } from '../scroll-containers.ts';
import type { Gate } from './gate.ts';
import type { ChromePage } from './page.ts';

/**
 * Opens what a loaded document hides, and tells what it loses.
 *
 * @returns whether parts of it will have no tags, and whether text may be drawn several times
 */
export async function findHidden(
  page: ChromePage,
  { facts }: Gate,
  { warn, untagged }: HtmlDocument,
): Promise<{ isSuspect: boolean; repeats: boolean }> {
  if (!facts.mayScroll && !facts.mayLose) return { isSuspect: false, repeats: false };
  const hidden = facts.mayScroll ? `{${OPEN_SCROLLERS}}${CUT_TEXT}` : 'const cut = [];';
  const lost = facts.mayLose
    ? `${picturedScript(true)}${FRAMES}${LINKLESS}${COVERING}${COUNTING}${HIGH}${REPEATING} return { cut, pictured, unread, framed, linkless, covering, counting, tall, heads, repeats };`
    : 'return { cut };';
  const found = await page.evaluate(`${hidden}${lost}`);
  for (const text of lossWarnings(found)) warn?.(text);
  const elements = withoutTags(found);
  untagged?.(elements, 'hidden');
  return { isSuspect: elements.length > 0, repeats: repeatsText(found) };
}
