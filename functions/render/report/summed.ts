import type { ReportJson } from '@platen/contract/resources';

/** Most entries of one list of a batch. */
const MOST = 1_000;

/** A finding in one document, or in several of a batch. */
interface Finding {
  record?: number | undefined;
  records?: number | undefined;
}

/** A finding with its first record and the number of records. */
export type OfRecords<T> = T & Finding;

/** The distinct findings of one kind. */
export class DistinctFindings<T extends Finding> {
  readonly #known = new Map<string, T>();
  readonly #identity: (finding: T) => object;
  #isTold = true;

  /** @param identity returns what makes a finding differ from others */
  constructor(identity: (finding: T) => object = (finding) => finding) {
    this.#identity = identity;
  }

  /**
   * @param findings null if an engine could not determine them @param record number of their record, if they
   * do not state it
   */
  add(findings: readonly T[] | null, record: number | undefined): void {
    if (findings === null) this.#isTold = false;
    for (const finding of findings ?? []) {
      const { record: own = record, records = 1 } = finding;
      const key = JSON.stringify({ ...this.#identity(finding), record: undefined, records: undefined });
      const before = this.#known.get(key);
      if (before !== undefined) before.records = (before.records ?? 1) + records;
      else if (this.#known.size < MOST) this.#known.set(key, { ...finding, record: own, records });
    }
  }

  get all(): T[] {
    return [...this.#known.values()];
  }

  /** null if some document had no result. */
  get told(): T[] | null {
    return this.#isTold ? this.all : null;
  }
}

type Listed<K extends keyof ReportJson> = NonNullable<ReportJson[K]> extends readonly (infer T)[] ? T : never;

/** Combines the reports of many documents: numbers are added, and equal findings are listed once. */
export class SummedReport {
  #records = 0;
  #pages = 0;
  #bytes = 0;
  readonly #timings = new Map<string, number>();
  readonly #requested = new Set<string>();
  #isRequestedTold = true;
  readonly #used = new Set<string>();
  readonly #substituted = new DistinctFindings<NonNullable<ReportJson['fonts']['substituted']>[number]>();
  readonly #resources = new DistinctFindings<Listed<'resources'>>();
  readonly #console = new DistinctFindings<Listed<'console'>>();
  readonly #missingGlyphs = new DistinctFindings<Listed<'missing_glyphs'>>();
  readonly #overflow = new DistinctFindings<Listed<'overflow'>>();
  readonly #images = new DistinctFindings<Listed<'images'>>();
  readonly #undefinedNames = new DistinctFindings<Listed<'undefined_names'>>();
  readonly #printedMarkup = new DistinctFindings<Listed<'printed_markup'>>();
  readonly #violations = new DistinctFindings<Listed<'violations'>>();

  /** @param record its number, for a report of one document; a combined report has the numbers itself */
  add(report: ReportJson, record?: number): void {
    const { fonts } = report;
    this.#records += report.records ?? 1;
    this.#pages += report.pages;
    this.#bytes += report.bytes;
    for (const [stage, time] of Object.entries(report.timings)) {
      this.#timings.set(stage, (this.#timings.get(stage) ?? 0) + time);
    }
    if (fonts.requested === null) this.#isRequestedTold = false;
    for (const family of fonts.requested ?? []) if (this.#requested.size < MOST) this.#requested.add(family);
    for (const family of fonts.used) if (this.#used.size < MOST) this.#used.add(family);
    this.#substituted.add(fonts.substituted, record);
    this.#resources.add(report.resources, record);
    this.#console.add(report.console, record);
    this.#missingGlyphs.add(report.missing_glyphs, record);
    this.#overflow.add(report.overflow, record);
    this.#images.add(report.images, record);
    this.#undefinedNames.add(report.undefined_names, record);
    this.#printedMarkup.add(report.printed_markup, record);
    this.#violations.add(report.violations, record);
  }

  get isEmpty(): boolean {
    return this.#records === 0;
  }

  report(): ReportJson {
    const timings = Array.from(
      this.#timings,
      ([stage, time]) => [stage, Math.round(time * 10) / 10] as const,
    );
    return {
      records: this.#records,
      pages: this.#pages,
      bytes: this.#bytes,
      timings: Object.fromEntries(timings),
      resources: this.#resources.all,
      console: this.#console.told,
      fonts: {
        requested: this.#isRequestedTold ? [...this.#requested] : null,
        used: [...this.#used],
        substituted: this.#substituted.told,
      },
      missing_glyphs: this.#missingGlyphs.told,
      overflow: this.#overflow.told,
      images: this.#images.all,
      undefined_names: this.#undefinedNames.all,
      printed_markup: this.#printedMarkup.all,
      violations: this.#violations.all,
    };
  }
}
