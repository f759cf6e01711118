import {
  type Callable,
  fromJs,
  isString,
  Markup,
  native,
  spend,
  str,
  TemplateError,
  textOf,
  toJs,
  type Value,
} from '@platen/jinja';
import { ChartError, chartSvg } from './chart.ts';
import { markdownHtml } from './markdown.ts';

/** The filter `markdown` and the function `chart`, in any template language. */

/** Returns a text; the empty text for missing values. */
export function richText(value: Value): string {
  return value === null ? '' : isString(value) ? textOf(value) : str(value);
}

/** @throws TemplateError */
export function htmlOfMarkdown(value: Value): string {
  try {
    const text = richText(value);
    // A character takes about as long as an operation: blocks, links and emphasis are found in several passes.
    spend(text.length);
    return markdownHtml(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TemplateError('ValueError', `The filter markdown: ${error.message}`);
  }
}

const CHART = 'chart(context, option, width=600, height=400)';

/** @param shown turns the drawing into the value for the document */
function chart(shown: (svg: string) => unknown): Callable & Value {
  return native(CHART, (option = null, width = null, height = null) => {
    try {
      return fromJs(shown(chartSvg(toJs(option), Number(toJs(width)), Number(toJs(height)))));
    } catch (error) {
      if (!(error instanceof ChartError)) throw error;
      throw new TemplateError('ValueError', `chart ${error.message}`);
    }
  });
}

/** In HTML: markup and a drawing, whether or not the dialect escapes. */
export const HTML_MARKDOWN: Callable & Value = native(
  'markdown(context, text)',
  (text = null) => new Markup(htmlOfMarkdown(text)),
);
export const HTML_CHART = chart((svg) => new Markup(svg));

/** In office documents: an address for the `src` of a picture. */
export const OFFICE_CHART = chart(
  (svg) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
);
