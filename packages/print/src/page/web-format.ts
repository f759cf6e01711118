/** Formats of templates that become web pages: text formats with header and footer, styles and scripts. */
export type WebFormat = 'html' | 'markdown';

export function isWebFormat<F extends string>(format: F | WebFormat): format is WebFormat {
  return format === 'html' || format === 'markdown';
}
