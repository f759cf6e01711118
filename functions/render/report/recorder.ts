import type { Violation } from '@platen/pdf/conformance';
import type { Found } from '@platen/templating/found';
import type { ConsoleMessage, FontFindings, LayoutFindings, Observer, ResourceFinding } from '@platen/print';
import type { ReportJson } from '@platen/contract/resources';
import { measure } from '../../shared/measures.ts';
import { span } from '../../shared/spans.ts';

/** Stages of a rendering. */
export type Stage = 'fill' | 'prepare' | 'print' | 'convert' | 'finish';

/** Most entries of one list in the report. */
const MOST = 500;
/** Most characters of a message or an address. */
const LONGEST = 500;

/** Collects the findings about a document during its rendering, for its report (I-54). */
export class Recorder implements Observer {
  readonly #started = performance.now();
  readonly #timings = new Map<Stage, number>();
  readonly #resources = new Map<string, ResourceFinding>();
  readonly #console: ConsoleMessage[] = [];
  #layout: LayoutFindings | null = null;
  #fonts: FontFindings | null = null;
  readonly violations: Violation[] = [];
  /** What filling the template noticed. */
  readonly found: Found = { undefinedNames: [], markup: [] };
  /**
   * Characters printed as empty boxes, and in `lacking` those that are unless the document has fonts; null if
   * unknown.
   */
  withoutGlyph: readonly string[] | null = [];
  lacking: readonly string[] = [];
  /** Findings from the printed document, if the engine does not report them. */
  printed: Pick<ReportJson, 'fonts' | 'images' | 'missing_glyphs'> | null = null;

  /** Runs the work of a stage and adds its time. */
  async time<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await work();
    } finally {
      this.#timings.set(stage, (this.#timings.get(stage) ?? 0) + performance.now() - before);
    }
  }

  resource(finding: ResourceFinding): void {
    const address = finding.address.slice(0, LONGEST);
    // A resource may be loaded again by a search or a retry; the last result counts.
    if (this.#resources.size < MOST || this.#resources.has(address)) {
      this.#resources.set(address, { ...finding, address });
    }
  }

  console({ level, text }: ConsoleMessage): void {
    if (this.#console.length < MOST) this.#console.push({ level, text: text.slice(0, LONGEST) });
  }

  layout(findings: LayoutFindings, fonts: FontFindings): void {
    this.#layout = findings;
    this.#fonts = fonts;
  }

  /** Whether the engine has reported the layout of the document. */
  get hasLayout(): boolean {
    return this.#layout !== null;
  }

  /** @param made the finished document */
  report({ pages, bytes }: Pick<ReportJson, 'pages' | 'bytes'>): ReportJson {
    const [layout, printed] = [this.#layout, this.printed];
    const whole = performance.now() - this.#started;
    const timings = Array.from(this.#timings, ([stage, time]) => [stage, rounded(time)] as const);
    return {
      pages,
      bytes,
      timings: { ...Object.fromEntries(timings), total: rounded(whole) },
      resources: [...this.#resources.values()],
      console: layout === null ? null : this.#console,
      fonts: this.#fonts ?? printed?.fonts ?? { requested: null, used: [], substituted: null },
      missing_glyphs:
        layout === null
          ? printed === null
            ? []
            : printed.missing_glyphs
          : layout.missingGlyphs.map((missing) => ({ ...missing, code: codeOf(missing.character) })),
      overflow: layout === null ? null : layout.overflow,
      images:
        layout === null
          ? (printed?.images ?? [])
          : layout.images.map(({ element, page, dpi }) => ({ element, page, dpi })),
      undefined_names: this.found.undefinedNames,
      printed_markup: this.found.markup,
      violations: this.violations.map(({ rule, page, element, detail }) => ({ rule, page, element, detail })),
    };
  }
}

/** Runs the work of a stage of a rendering, and records its time in the report, if any, the trace and the measures. */
export async function timed<T>(recorder: Recorder | null, stage: Stage, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await span(stage, async () =>
      recorder === null ? await work() : await recorder.time(stage, work),
    );
  } finally {
    if (stage === 'print' || stage === 'convert') measure('engine_ms', performance.now() - started);
  }
}

/** Returns a character in Unicode notation. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
