import { moved, serveThread } from '@platen/core/thread-side';
import type { TemplatingEngine } from '@platen/templating';
import { checkDocument, documentText, fillDocument } from './fill.ts';
import type { OfficeFormat } from './format.ts';
import type { LoadedJob } from './job.ts';

/** The thread in which office documents are filled, one after the other: templates are strangers' programs. */

interface CheckJob {
  bytes: Uint8Array;
  format: OfficeFormat;
  engine: TemplatingEngine;
}

serveThread({
  fill: async (job: LoadedJob) => {
    const filled = await fillDocument(job);
    const isWhole = filled.byteLength === filled.buffer.byteLength && filled.buffer instanceof ArrayBuffer;
    return isWhole ? moved(filled, [filled.buffer]) : filled;
  },
  check: async ({ bytes, format, engine }: CheckJob) => await checkDocument(bytes, format, engine),
  text: async ({ bytes, format, engine }: CheckJob) => await documentText(bytes, format, engine),
});
