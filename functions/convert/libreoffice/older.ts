import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlatenError } from '@platen/core/errors';
import { looksLikeOle, looksLikeZip } from '@platen/office/format';
import type { ConfinementState } from '../confinement.ts';
import type { WarmEngine } from '../warm-engine.ts';
import { engineOf, type LibreOfficeOptions } from './engine.ts';
import {
  type Container,
  filtersOfOlder,
  filtersOfProtected,
  type OlderFormat,
  type ProtectedFormat,
  type ReadAs,
} from './filters.ts';
import type { OfficeProcess } from './process.ts';

export type { OlderFormat, ProtectedFormat, ReadAs } from './filters.ts';

/**
 * Converts documents of other formats, and documents with a password, to OpenDocument.
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
   * @param password opens the document; null for one without a password
   * @throws PlatenError `template_file_invalid` if the document has another format, `office_file_encrypted` if it has
   * a password and none is given, or a wrong one, `office_file_damaged`, and as `WarmEngine.run`, with
   * `engine_unavailable` if the kernel does not confine LibreOffice
   */
  async read(
    document: Uint8Array,
    from: OlderFormat | ProtectedFormat,
    timeout: number,
    password: string | null = null,
  ): Promise<{ bytes: Buffer; as: ReadAs }> {
    const file = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
    const { as, ...filters } = password === null ? plain(file, from) : filtersOfProtected(from, password);
    const bytes = await this.#engine.run(timeout, async (office, folder) => {
      const [input, output] = [path.join(folder, `document.${from}`), path.join(folder, `result.${as}`)];
      writeFileSync(input, document, { mode: 0o600 });
      const answer = await office.convert({ input, output, title: null, ...filters });
      if (answer.ok) return readFileSync(output);
      const cause = new Error(answer.message);
      if (password !== null)
        throw new PlatenError('office_file_encrypted', `The password does not open the ${from}.`, { cause });
      const message = `The ${from} cannot be opened: it is damaged, or has a password.`;
      throw new PlatenError('office_file_damaged', message, { cause });
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

/** Returns the filters for a document without a password. @throws PlatenError if it has another format, or one */
function plain(document: Buffer, from: OlderFormat | ProtectedFormat): ReturnType<typeof filtersOfProtected> {
  if (document.includes(ENCRYPTED))
    throw new PlatenError('office_file_encrypted', `The ${from} has a password, and none is given.`);
  const { container, ...filters } = filtersOfOlder(from as OlderFormat);
  if (!isOf(document, from as OlderFormat, container))
    throw new PlatenError('template_file_invalid', `The document is no file of the format ${from}.`);
  return filters;
}

/** The stream of an encrypted document of OOXML, as the directory of its container names it ([MS-OFFCRYPTO] 1.3.3). */
const ENCRYPTED = Buffer.from('EncryptedPackage\0', 'utf16le');

/** The streams that identify each format ([MS-DOC] 2.1, [MS-XLS] 2.1, [MS-PPT] 2.1), as directories name them. */
const STREAMS: Readonly<Record<ReadAs, Buffer>> = {
  odt: Buffer.from('WordDocument\0', 'utf16le'),
  ods: Buffer.from('Workbook\0', 'utf16le'),
  odp: Buffer.from('PowerPoint Document\0', 'utf16le'),
};

/** Returns whether a document has the declared format: LibreOffice converts anything. */
function isOf(document: Buffer, format: OlderFormat, container: Container): boolean {
  const start = document.toString('latin1', 0, 4_000);
  switch (container) {
    case 'rtf':
      return /^\s{0,100}\{\\rtf/.test(start);
    case 'zip':
      return looksLikeZip(document);
    case 'xml':
      return start.includes('<office:document');
    case 'ole':
      return looksLikeOle(document) && document.includes(STREAMS[filtersOfOlder(format).as]);
  }
}
