import * as z from 'zod';

/** The findings about a printed document (I-54). */

/** Something that a document names. */
export interface ResourceFinding {
  /** As the document may have it: without the origin that was made up for it. */
  address: string;
  /** Null where nothing answered. */
  status: number | null;
  bytes: number | null;
  error: string | null;
}

export interface ConsoleMessage {
  /** As the browser calls it: `log`, `warning`, `error` and so on. */
  level: string;
  text: string;
}

const page = z.number().int().nullable();

/** A browser's findings about the layout of a document; lengths in cm on paper. */
export const layoutSchema = z.object({
  /** Elements that stick out of the page or of their box, or whose box cuts something off. */
  overflow: z.array(z.object({ element: z.string(), page, by: z.number() })),
  /** Images of fewer dots to the inch than print needs. */
  images: z.array(z.object({ element: z.string(), page, dpi: z.number(), source: z.string() })),
  /** Characters that are printed as empty boxes. */
  missingGlyphs: z.array(z.object({ character: z.string(), page })),
});
export type LayoutFindings = z.infer<typeof layoutSchema>;

export interface FontFindings {
  /** Families that are named, in the order found. */
  requested: string[];
  /** Families that text was set in. */
  used: string[];
  /** Families that were named first and are not there, and what text was set in instead. */
  substituted: { requested: string; used: string | null }[];
}

/** Receives events while a document is printed. Engines omit events that they cannot detect. */
export interface Observer {
  resource(finding: ResourceFinding): void;
  console(message: ConsoleMessage): void;
  layout(findings: LayoutFindings, fonts: FontFindings): void;
  /** Characters of the text that no font of the product has. */
  readonly lacking: readonly string[];
}

/** Images with fewer dots to the inch look coarse on paper. */
export const MIN_DPI = 150;
