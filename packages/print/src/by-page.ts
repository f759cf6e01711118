import { parsePageRange } from '@platen/pdf/options';

/** Headers and footers that differ by page (I-50). */

/** Names that select pages; everything else is a range such as `2-3`. */
export const PAGE_NAMES = ['default', 'first', 'last', 'odd', 'even'] as const;
type PageName = (typeof PAGE_NAMES)[number];

/** The header or footer of pages with that name or in that range. */
export interface PageEntry {
  pages: string;
  /** Html; null for nothing, regardless of later entries. */
  html: string | null;
}

/** Header and footer by page, for documents that need several. */
export interface FurnitureByPage {
  header: readonly PageEntry[];
  footer: readonly PageEntry[];
  /** The displayed number of the first page in elements of the class `pageNumber`. */
  firstPageNumber: number;
  /** The title that scripts gave the document after headers and footers were written; null or absent for none. */
  title?: string | null;
}

/** The same header and footer for all pages, or several. */
type Furniture = Record<'header' | 'footer', string | null> & { byPage: FurnitureByPage | null };

/** Returns the html of all headers and footers of a document. */
export function furnitureOf({ header, footer, byPage }: Furniture): string[] {
  const entries = [...(byPage?.header ?? []), ...(byPage?.footer ?? [])].map(({ html }) => html);
  return [header, footer, ...entries].filter((html) => html !== null);
}

/** The class of elements with the title of the document. */
export const TITLE_CLASS = 'platen-title';

/** Returns whether headers or footers may show the title of the document. */
export function showsTitle(furniture: Furniture): boolean {
  return furnitureOf(furniture).some((html) => html.includes(TITLE_CLASS));
}

/** Placeholder in html for the heading under which a page begins: content of elements of the class `section`. */
export const SECTION_CLASS = 'platen-section';

/**
 * Selects the entry for a page: first and last before ranges, ranges before odd and even, then the default. Of two
 * ranges the first one applies. Pages are counted from 1, regardless of the displayed number.
 */
export function entryPicker<E extends Pick<PageEntry, 'pages'>>(
  entries: readonly E[],
): (page: number, total: number) => E | null {
  const isName = (pages: string): pages is PageName => PAGE_NAMES.some((name) => name === pages);
  const named = (name: PageName): E | undefined => entries.find(({ pages }) => pages === name);
  const [standard, first, last, odd, even] = PAGE_NAMES.map(named);
  const ranges = entries
    .filter(({ pages }) => !isName(pages))
    .map((entry) => ({ entry, spans: parsePageRange(entry.pages) }));
  return (page, total) => {
    if (page === 1 && first) return first;
    if (page === total && last) return last;
    const ranged = ranges.find(({ spans }) =>
      spans.some((span) => page >= span.first && (span.last === null || page <= span.last)),
    );
    return ranged?.entry ?? (page % 2 === 1 ? odd : even) ?? standard ?? null;
  };
}

/** The same header and footer for all pages; null if there are none. */
export function onAllPages({
  header,
  footer,
}: Record<'header' | 'footer', string | null>): FurnitureByPage | null {
  if (header === null && footer === null) return null;
  const entries = (html: string | null): PageEntry[] => (html === null ? [] : [{ pages: 'default', html }]);
  return { header: entries(header), footer: entries(footer), firstPageNumber: 1 };
}

/** Returns whether the header or footer shows the heading under which a page begins. */
export function namesSections({ header, footer }: FurnitureByPage): boolean {
  return [...header, ...footer].some(({ html }) => html?.includes(SECTION_CLASS) ?? false);
}

/** The facts about a printed document on which headers and footers depend. */
export interface PrintedPages {
  /** Number of pages of the whole document. */
  total: number;
  /** Numbers of the printed pages, in order. */
  pages: readonly number[];
  /** Heading under which each page of the whole document begins. */
  sections: readonly string[];
  /** Width and height of each printed page, in CSS pixels. */
  sizes: readonly { width: number; height: number }[];
}

/** One rendered header and footer, and the pages that have it. */
export interface Stamp {
  header: string | null;
  footer: string | null;
  pageNumber: number;
  totalPages: number;
  section: string;
  /** Index of the size of its pages in `PrintedPages.sizes`. */
  size: number;
  /** Indices of the pages among the printed ones, from 0. */
  places: number[];
}

/** Returns the distinct headers and footers to draw: most pages share one if it has no page number. */
export function stampsOf(
  { header, footer, firstPageNumber }: FurnitureByPage,
  { total, pages, sections, sizes }: PrintedPages,
  skipFirst: boolean,
): Stamp[] {
  const [pickHeader, pickFooter] = [entryPicker(header), entryPicker(footer)];
  const looks = new Map<string, Stamp>();
  for (const [place, page] of pages.entries()) {
    if (page === 1 && skipFirst) continue;
    const own = [pickHeader(page, total), pickFooter(page, total)].map((entry) => entry?.html ?? null);
    const [top = null, bottom = null] = own;
    if (top === null && bottom === null) continue;
    const isNumbered = own.some((html) => html?.includes('pageNumber'));
    const isNamed = own.some((html) => html?.includes(SECTION_CLASS));
    const { width = 0, height = 0 } = sizes[place] ?? {};
    const section = isNamed ? (sections[page - 1] ?? '') : '';
    const key = JSON.stringify([
      header.findIndex(({ html }) => html === top),
      footer.findIndex(({ html }) => html === bottom),
      isNumbered ? page : 0,
      section,
      width,
      height,
    ]);
    const known = looks.get(key);
    if (known !== undefined) {
      known.places.push(place);
      continue;
    }
    looks.set(key, {
      header: top,
      footer: bottom,
      pageNumber: page - 1 + firstPageNumber,
      totalPages: total - 1 + firstPageNumber,
      section,
      size: place,
      places: [place],
    });
  }
  return [...looks.values()];
}
