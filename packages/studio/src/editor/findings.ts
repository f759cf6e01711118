import type { Report } from '../api/types.ts';
import { text } from '../text.ts';

/** Turns the findings of a report that need attention into sentences. */

export interface Finding {
  kind: keyof typeof text.report.kinds;
  said: string;
  page: number | null;
}

/** Returns the sentences, the most severe first. */
export function findingsOf(report: Report): Finding[] {
  const { overflow, fonts, missing_glyphs: glyphs, images, violations, resources, console: lines } = report;
  const { undefined_names: names, printed_markup: markup } = report;
  const words = text.report;
  return [
    ...violations.map(({ rule, detail, page }): Finding => ({
      kind: 'violations',
      said: `${rule}: ${detail}`,
      page,
    })),
    ...names.map(({ name, near, ...place }): Finding => ({
      kind: 'undefined',
      said: `${words.undefinedName(name, near)} (${placeWords(place)})`,
      page: null,
    })),
    ...markup.map(({ name, tag, ...place }): Finding => ({
      kind: 'markup',
      said: `${words.markup(name, tag)} (${placeWords(place)})`,
      page: null,
    })),
    ...(overflow ?? []).map(({ element, by, page }): Finding => ({
      kind: 'overflow',
      said: words.by(element, by),
      page,
    })),
    ...(glyphs ?? []).map(({ character, code, page }): Finding => ({
      kind: 'glyphs',
      said: words.glyph(character, code),
      page,
    })),
    ...(fonts.substituted ?? []).map(({ requested, used }): Finding => ({
      kind: 'substituted',
      said: words.instead(requested, used),
      page: null,
    })),
    ...resources
      .filter(({ error }) => error !== null)
      .map(({ address, error }): Finding => ({
        kind: 'resources',
        said: `${address}: ${error}`,
        page: null,
      })),
    ...images.map(({ element, dpi, page }): Finding => ({
      kind: 'images',
      said: words.dpi(element, dpi),
      page,
    })),
    ...(lines ?? []).map(({ level, text: line }): Finding => ({
      kind: 'console',
      said: `${level}: ${line}`,
      page: null,
    })),
  ];
}

/** Returns the place of a name: in an office document, lines are paragraphs. */
function placeWords({ file, line, cell }: { file: string; line?: number; cell?: string }): string {
  if (cell !== undefined) return `${file}, ${cell}`;
  if (line === undefined) return file;
  return `${file}, ${text.report.line(line, file.includes('.xml'))}`;
}
