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
 * Documents of Office 97 and rich text, read as OpenDocument.
 *
 * They name files and addresses in forms of their own, and LibreOffice fetches what they name while it reads them. So they
 * are read only where the kernel keeps everything from it, and what comes out is handed on as any document of a stranger's:
 * the names in it are taken out before it is printed (`contained`).
 */
export class OlderDocuments {
  readonly #engine: WarmEngine<OfficeProcess>;

  /** @param options without a choice of the confinement: all of it holds, or nothing is read */
  constructor(options: Omit<LibreOfficeOptions, 'confinement'>) {
    this.#engine = engineOf({ ...options, confinement: { required: true, reads: [], writes: [] } });
  }

  /**
   * Reads a document.
   *
   * @param timeout milliseconds, from its turn to its last byte
   * @throws PlatenError `template_file_invalid` for what is of another format, `office_file_damaged`, and as
   *   `WarmEngine.run`, with `engine_unavailable` where the kernel does not confine LibreOffice
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

  /** What holds of the confinement of the LibreOffice that runs; null while none does. */
  get confinement(): ConfinementState | null {
    return this.#engine.confinement;
  }

  /** Ends LibreOffice and removes all it left on disk. */
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

/** Streams by which programs tell the formats apart ([MS-DOC] 2.1, [MS-XLS] 2.1, [MS-PPT] 2.1), as directories name them. */
const STREAMS: Readonly<Record<Exclude<OlderFormat, 'rtf'>, Buffer>> = {
  doc: Buffer.from('WordDocument\0', 'utf16le'),
  xls: Buffer.from('Workbook\0', 'utf16le'),
  ppt: Buffer.from('PowerPoint Document\0', 'utf16le'),
};

/** Whether a document is what it is said to be: LibreOffice makes something of everything. */
function isOf(document: Buffer, format: OlderFormat): boolean {
  if (format === 'rtf') return /^\s{0,100}\{\\rtf/.test(document.toString('latin1', 0, 200));
  return looksLikeOle(document) && document.includes(STREAMS[format]);
}
