import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../functions/convert/config.ts';
import { fontConfiguration } from '../functions/convert/fonts.ts';
import { OlderDocuments } from '../functions/convert/libreoffice/older.ts';
import type { Environment } from '../functions/shared/config.ts';
import type { ReadOlder } from '@platen/gotenberg';

/**
 * A LibreOffice on this machine that reads other formats, and documents with a password, for Gotenberg's routes. It
 * starts with the first document.
 */
export interface OlderReader {
  read: ReadOlder;
  /** Stops LibreOffice and deletes its files. */
  close: () => Promise<void>;
}

/** @throws ConfigError */
export function olderReader(env: Environment): OlderReader {
  const {
    soffice: place,
    timeout,
    maxMemory,
    maxResultBytes,
    documentsPerProcess,
    workDir,
  } = readConfig(env);
  let folder: string | null = null;
  let documents: OlderDocuments | null = null;
  const started = (): OlderDocuments => {
    folder = mkdtempSync(path.join(workDir, 'platen-older-'));
    const limits = { startTimeout: timeout, maxMemory, maxResultBytes, documentsPerProcess };
    // Fonts affect only pages, and this conversion produces none.
    const fontConfig = fontConfiguration(folder, true);
    return new OlderDocuments({ ...limits, place, workDir: folder, fontConfig });
  };
  return {
    read: async (document, from, password) => {
      documents ??= started();
      const { bytes, as } = await documents.read(document, from, timeout, password);
      return { bytes: new Uint8Array(bytes), as };
    },
    close: async () => {
      await documents?.close();
      if (folder !== null && existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };
}
