import * as z from 'zod';
import { heightsScript } from '../overlay.ts';
import type { DocumentFacts } from '../page/document.ts';
import { paperInches } from '../paper.ts';
import { pageRulesScript, PIXELS_OF_INCH } from '../page-rules.ts';
import type { PrintOptions } from '../print.ts';
import { widthQueriesScript } from '../width-queries.ts';
import { PAGE_BACKGROUNDS } from './page-backgrounds.ts';
import { QUERIED_WIDTH } from './print-params.ts';
import { beforePrint } from './before-print.ts';
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

/** Returns statements that wait for late resources of a loaded document, and tell its scripts that it will be printed. */
export function readyForPaper(facts: DocumentFacts, { browser }: PrintOptions): string {
  const isPrinted = facts.hasScripts && (browser?.media ?? 'print') === 'print';
  return settling(facts) + (isPrinted ? beforePrint(facts) : '');
}

/** Body of a function that adapts the `@page` rules and media queries of a loaded document. @param before its beginning */
export function pageScript(before: string, facts: DocumentFacts, options: PrintOptions): string {
  const sheet = paperInches(options.paper, options.landscape);
  const rules = facts.mayRulePages
    ? pageRulesScript(options.author, sheet, options.landscape, options.margins, PAGE_BACKGROUNDS)
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
  return `${before}${heights}
    const rules = (await (async () => {${rules}})()) ?? null;${widths}${options.fitsContent ? withoutRules : ''}
    return { rules, heights, hasOtherWidths };`;
}
