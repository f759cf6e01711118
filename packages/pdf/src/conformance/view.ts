import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { viewOf } from '../steps/geometry.ts';
import { isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/** How readers show a document when it is opened (ISO 32000-2, 12.2 and 12.3.2). */
export interface View {
  panel?: keyof typeof PANELS | undefined;
  /** The page that is shown first, 1-based. */
  page?: number | undefined;
  /** What fits into the window, or percent. */
  zoom?: 'page' | 'width' | 'content' | number | undefined;
  layout?: keyof typeof LAYOUTS | undefined;
  /** Levels of the outline that are visible. */
  outlineLevels?: number | undefined;
  fullScreen?: boolean | undefined;
  /** Entries of the viewer preferences. */
  preferences: Readonly<Record<string, boolean | undefined>>;
}

const PANELS = { none: '/UseNone', outline: '/UseOutlines', thumbnails: '/UseThumbs' } as const;
const LAYOUTS = {
  single_page: '/SinglePage',
  one_column: '/OneColumn',
  two_columns_left: '/TwoColumnLeft',
  two_columns_right: '/TwoColumnRight',
} as const;

/**
 * Sets the view of a document. What is undefined stays.
 *
 * @throws PlatenError `page_range_outside_document` for a page that does not exist
 */
export function setView(file: PdfFile, view: View): void {
  const { panel, page, zoom, layout, outlineLevels, fullScreen } = view;
  const catalog: PdfDict = { ...file.catalog };
  const preferences: PdfDict = { ...file.dict(catalog['/ViewerPreferences']) };
  for (const [name, value] of Object.entries(view.preferences)) {
    if (value !== undefined) preferences[`/${name}`] = value;
  }
  if (panel !== undefined) catalog['/PageMode'] = PANELS[panel];
  if (fullScreen === true) {
    preferences['/NonFullScreenPageMode'] = catalog['/PageMode'] ?? PANELS.none;
    catalog['/PageMode'] = '/FullScreen';
  }
  if (layout !== undefined) catalog['/PageLayout'] = LAYOUTS[layout];
  if (page !== undefined || zoom !== undefined) catalog['/OpenAction'] = destination(file, page ?? 1, zoom);
  if (Object.keys(preferences).length > 0) catalog['/ViewerPreferences'] = preferences;
  file.set(file.catalogRef, catalog);
  if (outlineLevels !== undefined) openOutline(file, outlineLevels);
}

/** The top of a page, in a size. */
function destination(file: PdfFile, page: number, zoom: View['zoom']): PdfValue {
  const [ref, dict] = [file.pages()[page - 1], file.pageDicts()[page - 1]];
  if (ref === undefined || dict === undefined) {
    const message = `there is no page ${page}: the document has ${file.pages().length}`;
    throw new PlatenError('page_range_outside_document', `\`view.page\`: ${message}.`, {
      faults: [{ field: 'render_options.view.page', message, value: page }],
    });
  }
  if (zoom === 'page') return [ref, '/Fit'];
  const { height, toPage } = viewOf(file, dict);
  const [, , c, d, e, f] = toPage;
  const [left, top] = [c * height + e, d * height + f];
  if (typeof zoom === 'string') return [ref, zoom === 'width' ? '/FitH' : '/FitBH', top];
  return [ref, '/XYZ', left, top, zoom === undefined ? null : zoom / 100];
}

/** Levels below this one are not changed: readers show about a dozen. */
const MAX_LEVELS = 200;

/** Opens the entries above a level of the outline, and closes the others (ISO 32000-2, 12.3.3). */
function openOutline(file: PdfFile, levels: number): void {
  const root = file.catalog['/Outlines'];
  if (!isRef(root)) return;
  const seen = new Set<Ref>();
  /** Returns the number of entries that are visible if the holder is open. */
  const visibleIn = (holder: Ref, level: number): number => {
    let count = 0;
    let next = file.dict(holder)['/First'];
    while (isRef(next) && !seen.has(next)) {
      seen.add(next);
      const below = level < MAX_LEVELS ? visibleIn(next, level + 1) : 0;
      const isOpen = level < levels;
      const entry = file.dict(next);
      if (below > 0) file.set(next, { ...entry, '/Count': isOpen ? below : -below });
      count += isOpen ? 1 + below : 1;
      next = entry['/Next'];
    }
    return count;
  };
  const count = visibleIn(root, 1);
  if (count > 0) file.set(root, { ...file.dict(root), '/Count': count });
}
