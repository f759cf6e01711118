import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceFormat, TargetFormat } from '../../shared/convert/protocol.ts';
import { PlatenError } from '@platen/core/errors';
import { fileName } from '@platen/core/file-name';
import type { OfficeOptions } from '@platen/contract/options';
import { detectConvertible, htmlText } from '@platen/contract/templates';
import type { Confinement, ConfinementState } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { type EngineLimits, WarmEngine } from '../warm-engine.ts';
import { filtersFor } from './filters.ts';
import { findInstallation, HOW_TO_INSTALL } from './installation.ts';
import { type HostAnswer, type HostOrder, OfficeProcess } from './process.ts';
import { selfContained } from './contained/html.ts';
import { looksLikeZip, officeFormat } from '@platen/office/format';
import { printablePages } from '@platen/office/printable-pages';
import { printableSheets } from '@platen/office/printable-sheets';
import { printableSlides } from '@platen/office/printable-slides';
import { printableText } from '@platen/office/printable-text';
import { printableWord } from '@platen/office/printable-word';
import { selfContainedPackage } from './contained/package.ts';
import { unscrolled } from './unscrolled.ts';

/** A document to be converted. */
export interface Conversion {
  document: Uint8Array;
  from: SourceFormat;
  to: TargetFormat;
  /** The title of a document that has none of its own, and the name of its file. */
  title: string | null;
  /** Whether a PDF keeps the fields of a form; else it shows their values. */
  formFields?: boolean | undefined;
  /** The pages and content of a PDF. */
  office?: OfficeOptions | undefined;
  /** TrueType and OpenType files for this document alone. */
  fonts?: readonly Uint8Array[] | undefined;
  /** Called with a sentence about something that LibreOffice cannot do with the document. */
  warn?: ((text: string) => void) | undefined;
  /** Milliseconds, counted from the start of its turn to its last byte. */
  timeout: number;
}

export interface LibreOfficeOptions extends EngineLimits {
  /** Path of `soffice`, if it is not in one of the usual places. */
  place: string | null;
  /** A writable folder. */
  workDir: string;
  fontConfig: FontConfiguration;
  /** The confinement, besides the paths that LibreOffice itself needs. */
  confinement: Confinement;
  /** Most bytes of a result. */
  maxResultBytes: number;
}

/** A LibreOffice process that is kept warm. */
export class LibreOffice {
  readonly #options: LibreOfficeOptions;
  readonly #engine: WarmEngine<OfficeProcess>;
  /** The turn of documents with fonts of their own, which are converted one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #alone: WarmEngine<OfficeProcess> | null = null;
  #closed = false;

  constructor(options: LibreOfficeOptions) {
    this.#options = options;
    this.#engine = engineOf(options);
  }

  /** Starts LibreOffice. @throws PlatenError as `WarmEngine.warm` */
  async warm(): Promise<void> {
    await this.#engine.warm();
  }

  /**
   * Converts a document.
   *
   * @throws PlatenError `unsupported_output_format`, `template_file_invalid`, `office_file_damaged`,
   *   `office_file_encrypted`, `print_failed`, and as `WarmEngine.run`
   */
  async convert(conversion: Conversion): Promise<Buffer> {
    const { from, to, title, formFields = false, office: asked = {}, fonts = [], warn, timeout } = conversion;
    const filters = filtersFor(from, to, formFields, asked);
    if (!filters) {
      throw new PlatenError(
        'unsupported_output_format',
        `A document of the format ${from} cannot be converted to ${to}.`,
      );
    }
    const document = await checkedDocument(conversion);
    if (from === 'xlsx' && to === 'xls' && hasTables(document)) return await this.#convertTables(conversion);
    const { FilterData: options } = filters.store;
    if (typeof options === 'object' && linksOf(document, from) > MOST_TAGGED_LINKS) {
      options['UseTaggedPDF'] = false;
      warn?.(`The PDF has no tags, as more than ${MOST_TAGGED_LINKS} cells have links.`);
    }
    const work: Work = async (office, folder) => {
      // Fields show the file name in Word, and in headers and footers of Excel.
      const input = path.join(folder, fileName(title ?? 'document', from));
      const output = path.join(folder, `result.${to}`);
      writeFileSync(input, document, { mode: 0o600 });
      const answer = await office.convert({ input, output, title, ...orderOf(asked), ...filters });
      if (!answer.ok) throw refusal(answer, from);
      for (const text of answer.warnings) warn?.(text);
      if (answer.hidden.length > 0) {
        // Loaded on demand: few documents need it.
        const { removeHiddenSlides } = await import('./hidden-slides.ts');
        await removeHiddenSlides(output, answer.hidden, warn);
      }
      if (answer.narrow.length > 0) {
        const { warnOfNumbers } = await import('./printed-numbers.ts');
        await warnOfNumbers(output, answer.narrow, warn);
      }
      return readFileSync(output);
    };
    if (fonts.length === 0) return await this.#engine.run(timeout, work);
    const result = this.#turn.then(() => this.#convertAlone(fonts, timeout, work));
    this.#turn = result.catch(() => {});
    return await result;
  }

  /** LibreOffice writes references to tables (`Sales[Price]`) into xls as `NA()`, and into ods as addresses. */
  async #convertTables(conversion: Conversion): Promise<Buffer> {
    const begun = Date.now();
    const document = await this.convert({ ...conversion, to: 'ods' });
    const timeout = Math.max(1, conversion.timeout - (Date.now() - begun));
    return await this.convert({ ...conversion, document, from: 'ods', timeout, warn: undefined });
  }

  /** LibreOffice keeps its fonts as long as it runs, so a process with other fonts ends after its only document. */
  async #convertAlone(fonts: readonly Uint8Array[], timeout: number, work: Work): Promise<Buffer> {
    if (this.#closed) throw new PlatenError('engine_unavailable', 'LibreOffice has been shut down.');
    const alone = engineOf({ ...this.#options, documentsPerProcess: Infinity }, fonts);
    this.#alone = alone;
    try {
      return await alone.run(timeout, work);
    } finally {
      await alone.close();
      this.#alone = null;
    }
  }

  /** The state of the confinement of the running LibreOffice; null if none runs. */
  get confinement(): ConfinementState | null {
    return this.#engine.confinement;
  }

  /** Ends LibreOffice and removes all its files. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#engine.close(), this.#alone?.close()]);
  }
}

/** Maximum number of cells with links in a tagged PDF: tagging them takes the square of their number. */
const MOST_TAGGED_LINKS = 10_000;
/** How links of cells begin. */
const LINKS: Partial<Record<SourceFormat, string>> = { xlsx: 'hyperlink ', ods: '<text:a ' };

/** Returns whether a workbook whose parts are not compressed has tables. */
function hasTables(document: Uint8Array): boolean {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  return bytes.includes('tablePart ');
}

/** Returns the number of links in a spreadsheet whose parts are not compressed; 0 for another document. */
function linksOf(document: Uint8Array, from: SourceFormat): number {
  const mark = LINKS[from];
  if (mark === undefined) return 0;
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) count += 1;
  return count;
}

/** Returns what the host program does itself, besides the filters. */
function orderOf(office: OfficeOptions): Pick<HostOrder, 'landscape' | 'keepsHidden' | 'keepsIndexes'> {
  return {
    landscape: office.landscape ?? false,
    keepsHidden: office.hidden_slides ?? false,
    keepsIndexes: office.keep_indexes ?? false,
  };
}

type Work = (office: OfficeProcess, folder: string) => Promise<Buffer>;

/** Returns a warm LibreOffice, with fonts of its own if there are any. */
export function engineOf(
  options: LibreOfficeOptions,
  fonts: readonly Uint8Array[] = [],
): WarmEngine<OfficeProcess> {
  return new WarmEngine({
    name: 'LibreOffice',
    doing: 'Converting',
    ...options,
    start: (signal) => startProcess(options, fonts, signal),
  });
}

function startProcess(
  { place, workDir, fontConfig, confinement, maxResultBytes }: LibreOfficeOptions,
  fonts: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<OfficeProcess> {
  const installation = findInstallation(place);
  if (!installation) {
    throw new PlatenError(
      'engine_missing',
      `LibreOffice is not installed where this service runs. On Debian and Ubuntu: ${HOW_TO_INSTALL}`,
    );
  }
  return OfficeProcess.start(
    { installation, workDir, fontConfig, fonts, confinement, maxFileBytes: maxResultBytes },
    signal,
  );
}

/** What prepares documents that LibreOffice would print otherwise than the programs of their authors. */
const PRINTABLE: Partial<
  Record<SourceFormat, typeof printableWord | typeof printableSlides | typeof printableText>
> = {
  docx: printableWord,
  xlsx: printableSheets,
  pptx: printableSlides,
  odp: printablePages,
  odt: printableText,
};

/**
 * Returns the document in a form that LibreOffice may read. A document that is not of its declared format is
 * refused, because LibreOffice converts even random bytes "successfully".
 */
async function checkedDocument({ document, from, to, office, warn }: Conversion): Promise<Uint8Array> {
  const expect = (format: SourceFormat): void => {
    if (format === from) return;
    throw new PlatenError('template_file_invalid', `The document is ${format}, not ${from}.`);
  };
  if (looksLikeZip(Buffer.from(document.buffer, document.byteOffset, document.byteLength))) {
    const isPrinted = to === 'pdf';
    const printable = isPrinted || from === 'docx' || from === 'pptx' ? PRINTABLE[from] : undefined;
    const isUnscrolled = from === 'xlsx' && office?.single_page_sheets === true;
    return await selfContainedPackage(
      document,
      (content) => expect(officeFormat(content)),
      printable &&
        (async (parts) => await printable(isUnscrolled ? unscrolled(parts) : parts, warn, isPrinted)),
    );
  }
  expect(await detectConvertible(document));
  // The byte order mark of UTF-8, which overrides the declared encoding.
  const text = `\ufeff${selfContained(htmlText(document, 'The document').text)}`;
  return Buffer.from(text);
}

function refusal({ at, message }: Extract<HostAnswer, { ok: false }>, from: SourceFormat): PlatenError {
  const cause = new Error(message);
  if (at === 'load' && from !== 'html') {
    return new PlatenError('office_file_damaged', 'The office file cannot be opened: it is damaged.', {
      cause,
    });
  }
  const sentence =
    at === 'hidden' ? 'All slides of the presentation are hidden.' : 'The document cannot be converted.';
  return new PlatenError('print_failed', sentence, { cause });
}
