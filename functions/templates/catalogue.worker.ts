import { PlatenError } from '@platen/core/errors';
import { serveThread } from '@platen/core/thread-side';
import { LocaleError } from '@platen/locale';
import { parsePo } from '@platen/locale/po';
import type { ReadCatalogue } from './catalogues.ts';

/** The thread that parses translation catalogues; a large one takes a second. */

serveThread({
  read: (bytes: Uint8Array): Promise<ReadCatalogue> => {
    try {
      const catalogue = parsePo(bytes);
      const messages = Object.keys(catalogue.messages).length;
      return Promise.resolve({ messages, json: JSON.stringify(catalogue) });
    } catch (error) {
      if (!(error instanceof LocaleError)) throw error;
      const { message } = error;
      const faults = [{ field: 'file_data', message }];
      throw new PlatenError('invalid_field', `\`file_data\`: ${message}.`, { faults });
    }
  },
});
