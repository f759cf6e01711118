import type { Bundle } from '../../shared/convert/bundle.ts';
import { BOLD_FACES } from '../../shared/bold-faces.ts';
import { SETTLE } from '../../shared/settle.ts';

/**
 * Statements that make a loaded document ready to be printed, and wait until it is. They run inside of it.
 *
 * WebKit asks for what only the rules for print name in the middle of printing, which is too late, and knows no way to
 * lay a document out for print before. So these rules are made to hold at once, and what they ask for is waited for.
 */
export function prepareForPrint(files: Bundle['files']): string {
  const pictures = [...files].filter(([, { contentType }]) => contentType.startsWith('image/'));
  return `${RULES}${pictures.length === 0 ? '' : arrival(pictures.map(([address]) => address))}${SETTLE}${KEEP_ANIMATED}${BOLD_FACES}`;
}

/**
 * Waits for the pictures that these rules have just asked for, which nothing in the document tells of. They are asked
 * for once more, one behind the other: an answer comes when those to earlier requests are there.
 */
function arrival(addresses: readonly string[]): string {
  return `
  document.documentElement?.getBoundingClientRect();
  const pictures = ${JSON.stringify(addresses)}.map((address) => {
    const image = new Image();
    image.src = address;
    return image;
  });
  await Promise.all(pictures.map((image) => image.decode().catch(() => {})));
  await new Promise((done) => setTimeout(done));`;
}

/** WebKit prints a document without what animations have made of it. */
const KEEP_ANIMATED = `
  for (const animation of document.getAnimations()) {
    // Those of pseudo-elements have no styles of their own to be put into.
    try { animation.commitStyles(); } catch {}
  }`;

/** No other kind of medium prints, and this one never does. */
const NEVER = 'speech';

/** `@page` goes: an author's `!important` wins over that of the user in WebKit, against CSS Cascade 5. */
const RULES = `
  // Outlives a document.
  name = '';
  const forPrint = (media) => {
    if (!/print|screen/i.test(media.mediaText)) return;
    media.mediaText = media.mediaText.replace(/\\bscreen\\b/gi, '${NEVER}').replace(/\\bprint\\b/gi, 'all');
  };
  const change = (owner) => {
    for (let at = owner.cssRules.length - 1; at >= 0; at -= 1) {
      const rule = owner.cssRules[at];
      if (rule.media) forPrint(rule.media);
      if (rule instanceof CSSPageRule) owner.deleteRule(at);
      else if (rule.cssRules) change(rule);
      else if (rule.styleSheet) change(rule.styleSheet);
    }
  };
  for (const sheet of document.styleSheets) {
    forPrint(sheet.media);
    // Those of other origins cannot be read.
    try { change(sheet); } catch {}
  }`;
