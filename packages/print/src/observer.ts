import * as z from 'zod';

/** The findings about a printed document (I-54). */

/** A resource that a document refers to. */
export interface ResourceFinding {
  /** The URL in the document, without the generated origin. */
  address: string;
  /** Null if there was no response. */
  status: number | null;
  bytes: number | null;
  error: string | null;
}

export interface ConsoleMessage {
  /** The browser's name: `log`, `warning`, `error` and so on. */
  level: string;
  text: string;
}

const page = z.number().int().nullable();

/** A browser's findings about the layout of a document; lengths in cm on paper. */
export const layoutSchema = z.object({
  /** Elements that overflow the page or their box, or whose box clips content. */
  overflow: z.array(z.object({ element: z.string(), page, by: z.number() })),
  /** Images with a resolution that is too low for print. */
  images: z.array(z.object({ element: z.string(), page, dpi: z.number(), source: z.string() })),
  /** Characters that are printed as empty boxes. */
  missingGlyphs: z.array(z.object({ character: z.string(), page })),
});
export type LayoutFindings = z.infer<typeof layoutSchema>;

export interface FontFindings {
  /** Families in the order in which they are named. */
  requested: string[];
  /** Families that text uses. */
  used: string[];
  /** Families that were named first and are missing, with their replacements. */
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

/** Images with a lower resolution in dpi look coarse on paper. */
export const MIN_DPI = 150;
