/** The output formats for pages, by the names in requests. */
export const PAGE_FORMATS = {
  png: { extension: 'png', type: 'image/png' },
  jpeg: { extension: 'jpg', type: 'image/jpeg' },
  webp: { extension: 'webp', type: 'image/webp' },
  tiff: { extension: 'tiff', type: 'image/tiff' },
  gif: { extension: 'gif', type: 'image/gif' },
  bmp: { extension: 'bmp', type: 'image/bmp' },
  ico: { extension: 'ico', type: 'image/x-icon' },
  psd: { extension: 'psd', type: 'image/vnd.adobe.photoshop' },
  svg: { extension: 'svg', type: 'image/svg+xml' },
  pdf: { extension: 'pdf', type: 'application/pdf' },
} as const;

export type PageFormat = keyof typeof PAGE_FORMATS;

const ALIASES: Readonly<Record<string, PageFormat>> = { jpg: 'jpeg', tif: 'tiff' };

/** @returns undefined for a format that cannot be written. */
export function pageFormat(name: string): PageFormat | undefined {
  const lower = name.toLowerCase();
  const known = ALIASES[lower] ?? lower;
  return Object.hasOwn(PAGE_FORMATS, known) ? (known as PageFormat) : undefined;
}
