import { printedFacts } from '@platen/pdf';
import { glyphFinder } from '@platen/print/fonts';
import { MIN_DPI } from '@platen/print';
import type { ReportJson } from '@platen/contract/resources';
import { withFile } from '../through-files.ts';
import { codeOf } from './recorder.ts';

/** The properties to inspect in a printed document if the engine does not report them. */
export interface PrintedInspection {
  /** See `coverageFile`. */
  coverage: string | null;
  /**
   * Characters that no font has; null if unknown because the document has its own fonts; or determined by the
   * coverage of the fonts.
   */
  withoutGlyph: readonly string[] | 'by coverage' | null;
  /** Families that the document names; null if unknown. */
  requested: readonly string[] | null;
}

type Printed = Pick<ReportJson, 'fonts' | 'images' | 'missing_glyphs'>;

/** Inspects a PDF for the contents of a report. */
export async function inspectPrinted(
  pdf: Uint8Array,
  { coverage, withoutGlyph, requested }: PrintedInspection,
  { scratch, signal }: { scratch: () => Promise<string>; signal: AbortSignal },
): Promise<Printed> {
  const { fonts, images, characters } = await withFile(pdf, scratch, async (path) =>
    printedFacts(path, { signal }),
  );
  const used = [...new Set(fonts.map(familyOf))];
  const finder = withoutGlyph === 'by coverage' && coverage !== null ? glyphFinder(coverage) : null;
  const lacking = withoutGlyph === 'by coverage' ? finder?.lacking(characters.join('')) : withoutGlyph;
  return {
    fonts: {
      requested: requested && [...requested],
      used,
      substituted: requested && replaced(requested, used),
    },
    images: images
      .filter(({ dpi }) => dpi > 0 && dpi < MIN_DPI)
      .map(({ page, dpi }) => ({ element: null, page, dpi })),
    missing_glyphs:
      lacking?.map((character) => {
        const at = characters.findIndex((on) => on.includes(character));
        return { character, code: codeOf(character), page: at === -1 ? null : at + 1 };
      }) ?? null,
  };
}

/** Returns the family of a font, which PDFs name with its style: `Carlito-BoldItalic`, `LiberationSans`. */
function familyOf(name: string): string {
  return name.split(/[-,]/, 1)[0] ?? name;
}

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Families that substitute for others with the same metrics. */
const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  carlito: ['calibri'],
  caladea: ['cambria'],
  arimo: ['arial', 'helvetica'],
  liberationsans: ['arial', 'helvetica'],
  tinos: ['timesnewroman', 'times'],
  liberationserif: ['timesnewroman', 'times'],
  cousine: ['couriernew', 'courier'],
  liberationmono: ['couriernew', 'courier'],
};

/**
 * Returns the replaced fonts and their substitutes. A document also names fonts that it does not use; so a
 * font that is used without being named shows that another was replaced.
 */
function replaced(requested: readonly string[], used: readonly string[]): Printed['fonts']['substituted'] {
  const named = new Set(requested.map(plain));
  const there = new Set(used.map(plain));
  const absent = requested.filter((name) => !there.has(plain(name)));
  const found: NonNullable<Printed['fonts']['substituted']> = [];
  for (const font of used.filter((name) => !named.has(plain(name)))) {
    const widths = absent.filter((name) => STAND_INS[plain(font)]?.includes(plain(name)));
    const requestedFonts = widths.length > 0 ? widths : absent.filter((name) => !isKnown(name));
    for (const name of requestedFonts) found.push({ requested: name, used: font });
  }
  return found;
}

/** Returns whether a metric-compatible font exists, which would have been the substitute. */
function isKnown(name: string): boolean {
  return Object.values(STAND_INS).some((names) => names.includes(plain(name)));
}
