import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlatenError } from '@platen/core/errors';
import { looksLikeOle } from '@platen/office/format';
import type { ConfinementState } from '../confinement.ts';
import type { WarmEngine } from '../warm-engine.ts';
import { engineOf, type LibreOfficeOptions } from './engine.ts';
import { filtersOfOlder, type OlderFormat, type ReadAs } from './filters.ts';
import type { OfficeProcess } from './process.ts';

export type { OlderFormat, ReadAs } from './filters.ts';

/**
 * Converts documents of Office 97 and rich text to OpenDocument.
 *
 * They name files and addresses in their own ways, and LibreOffice fetches those while it reads the document.
 * So they are read only if the kernel confines LibreOffice completely, and the result is treated as
 * untrusted: the names in it are removed before it is printed (`contained`).
 */
export class OlderDocuments {
  readonly #engine: WarmEngine<OfficeProcess>;

  /** @param options without the choice of confinement: full confinement is required */
  constructor(options: Omit<LibreOfficeOptions, 'confinement'>) {
    this.#engine = engineOf({ ...options, confinement: { required: true, reads: [], writes: [] } });
  }

  /**
   * Converts a document to OpenDocument.
   *
   * @param timeout milliseconds, from the start of its turn to its last byte
   * @throws PlatenError `template_file_invalid` if the document has another format, `office_file_damaged`,
   * and as `WarmEngine.run`, with `engine_unavailable` if the kernel does not confine LibreOffice
   */
  async read(
    document: Uint8Array,
    from: OlderFormat,
    timeout: number,
  ): Promise<{ bytes: Buffer; as: ReadAs }> {
    if (!isOf(Buffer.from(document.buffer, document.byteOffset, document.byteLength), from))
      throw new PlatenError('template_file_invalid', `The document is not a ${NAMES[from]} (${from}).`);
    const { as, ...filters } = filtersOfOlder(from);
    const bytes = await this.#engine.run(timeout, async (office, folder) => {
      const [input, output] = [path.join(folder, `document.${from}`), path.join(folder, `result.${as}`)];
      writeFileSync(input, document, { mode: 0o600 });
      const answer = await office.convert({ input, output, title: null, ...filters });
      if (answer.ok) return readFileSync(output);
      const message = `The ${from} cannot be opened: it is damaged, or has a password.`;
      throw new PlatenError('office_file_damaged', message, { cause: new Error(answer.message) });
    });
    return { bytes, as };
  }

  /** The state of the confinement of the running LibreOffice; null if none runs. */
  get confinement(): ConfinementState | null {
    return this.#engine.confinement;
  }

  /** Ends LibreOffice and removes all its files. */
  async close(): Promise<void> {
    await this.#engine.close();
  }
}

const NAMES: Readonly<Record<OlderFormat, string>> = {
  rtf: 'rich text',
  doc: 'document of Word 97 to 2003',
  xls: 'workbook of Excel 97 to 2003',
  ppt: 'presentation of PowerPoint 97 to 2003',
};

/** The streams that identify each format ([MS-DOC] 2.1, [MS-XLS] 2.1, [MS-PPT] 2.1), as directories name them. */
const STREAMS: Readonly<Record<Exclude<OlderFormat, 'rtf'>, Buffer>> = {
  doc: Buffer.from('WordDocument\0', 'utf16le'),
  xls: Buffer.from('Workbook\0', 'utf16le'),
  ppt: Buffer.from('PowerPoint Document\0', 'utf16le'),
};

/** Returns whether a document has the declared format: LibreOffice converts anything. */
function isOf(document: Buffer, format: OlderFormat): boolean {
  if (format === 'rtf') return /^\s{0,100}\{\\rtf/.test(document.toString('latin1', 0, 200));
  return looksLikeOle(document) && document.includes(STREAMS[format]);
}
