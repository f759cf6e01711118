import * as z from 'zod';
import { heightsScript } from '../overlay.ts';
import type { DocumentFacts } from '../page/document.ts';
import { paperInches } from '../page/paper.ts';
import { pageRulesScript, PIXELS_OF_INCH } from '../page-rules.ts';
import type { PrintOptions } from '../print.ts';
import { widthQueriesScript } from '../width-queries.ts';
import { pageBackgroundsScript } from './page-backgrounds.ts';
import { QUERIED_WIDTH } from './print-params.ts';
import { settling } from './settling.ts';

const factsSchema = z
  .object({ rules: z.unknown(), heights: z.unknown(), hasOtherWidths: z.boolean() })
  .catch({ rules: null, heights: null, hasOtherWidths: false });

/** Returns the result of `pageScript`; rules and heights are not checked. */
export function pageFacts(returned: unknown): z.infer<typeof factsSchema> {
  return factsSchema.parse(returned);
}

/** Whether the request sets the viewport size, so that it is not adapted to the page. */
export function hasViewport({ browser }: PrintOptions): boolean {
  return browser !== null && browser.viewport !== null;
}

/**
 * Body of a function that waits for late resources of a loaded document, and adapts its `@page` rules and media
 * queries.
 */
export function pageScript(facts: DocumentFacts, options: PrintOptions): string {
  const sheet = paperInches(options.paper, options.landscape);
  const backgrounds = pageBackgroundsScript(options.margins);
  const rules = facts.mayRulePages
    ? pageRulesScript(options.author, sheet, options.landscape, backgrounds)
    : '';
  // The margins of the rules are known by then.
  const withoutRules = `(() => {${pageRulesScript(null, sheet, options.landscape)}})();`;
  const heights =
    options.roomFor === null
      ? 'const heights = null;'
      : heightsScript(options.roomFor, sheet.width * PIXELS_OF_INCH);
  const widths =
    facts.mayAskForWidth && !hasViewport(options)
      ? widthQueriesScript(options, QUERIED_WIDTH)
      : 'const hasOtherWidths = false;';
  return `${settling(facts)}${heights}
    const rules = (await (async () => {${rules}})()) ?? null;${widths}${options.fitsContent ? withoutRules : ''}
    return { rules, heights, hasOtherWidths };`;
}
