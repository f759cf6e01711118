import type { ReportJson } from '../../shared/contract/report.ts';

/** Entries of one list of a batch. */
const MOST = 1_000;

/** Something that was found in a document, or in several of a batch. */
interface Finding {
  record?: number | undefined;
  records?: number | undefined;
}

/** The reports of many documents as one: numbers are added, and what was found in several of them stands there once. */
export class SummedReport {
  #records = 0;
  #pages = 0;
  #bytes = 0;
  readonly #timings = new Map<string, number>();
  readonly #lists = new Map<string, Map<string, Finding>>();
  readonly #names = { requested: new Set<string>(), used: new Set<string>() };
  /** Of what some engine could not tell. */
  readonly #untold = new Set<string>();

  /** @param record its number, for a report of one document; one of several brings the numbers along */
  add(report: ReportJson, record?: number): void {
    this.#records += report.records ?? 1;
    this.#pages += report.pages;
    this.#bytes += report.bytes;
    for (const [stage, time] of Object.entries(report.timings)) {
      this.#timings.set(stage, (this.#timings.get(stage) ?? 0) + time);
    }
    const { fonts } = report;
    this.#addNames('requested', fonts.requested);
    this.#addNames('used', fonts.used);
    this.#addAll('resources', report.resources, record);
    this.#addAll('console', report.console, record);
    this.#addAll('substituted', fonts.substituted, record);
    this.#addAll('missing_glyphs', report.missing_glyphs, record);
    this.#addAll('overflow', report.overflow, record);
    this.#addAll('images', report.images, record);
    this.#addAll('violations', report.violations, record);
  }

  get isEmpty(): boolean {
    return this.#records === 0;
  }

  report(): ReportJson {
    const list = (name: string): never[] => [...(this.#lists.get(name)?.values() ?? [])] as never[];
    const told = (name: string): never[] | null => (this.#untold.has(name) ? null : list(name));
    const timings = Array.from(this.#timings, ([stage, time]) => [stage, Math.round(time * 10) / 10]);
    return {
      records: this.#records,
      pages: this.#pages,
      bytes: this.#bytes,
      timings: Object.fromEntries(timings) as ReportJson['timings'],
      resources: list('resources'),
      console: told('console'),
      fonts: {
        requested: this.#untold.has('requested') ? null : [...this.#names.requested],
        used: [...this.#names.used],
        substituted: told('substituted'),
      },
      missing_glyphs: list('missing_glyphs'),
      overflow: told('overflow'),
      images: list('images'),
      violations: list('violations'),
    };
  }

  #addNames(name: 'requested' | 'used', names: readonly string[] | null): void {
    if (names === null) this.#untold.add(name);
    for (const family of names ?? []) if (this.#names[name].size < MOST) this.#names[name].add(family);
  }

  #addAll(name: string, findings: readonly Finding[] | null, record: number | undefined): void {
    if (findings === null) this.#untold.add(name);
    const known = this.#lists.get(name) ?? new Map<string, Finding>();
    this.#lists.set(name, known);
    for (const finding of findings ?? []) {
      const { record: own = record, records = 1, ...what } = finding;
      const key = JSON.stringify(what);
      const before = known.get(key);
      if (before !== undefined) before.records = (before.records ?? 1) + records;
      else if (known.size < MOST) known.set(key, { ...what, record: own, records });
    }
  }
}
