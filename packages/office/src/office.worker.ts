import { moved, serveThread } from '@platen/core/thread-side';
import type { TemplatingEngine } from '@platen/templating';
import { checkDocument, documentText, fillDocument } from './fill.ts';
import { OfficePackage } from './package.ts';
import { addPixels, drawingsWithoutPixels } from './pictures/pixels.ts';
import type { OfficeFormat } from './format.ts';
import type { FilledDocument, LoadedJob, PixelsJob } from './job.ts';

/** The worker thread that fills office documents one after the other: templates are untrusted programs. */

interface CheckJob {
  bytes: Uint8Array;
  format: OfficeFormat;
  engine: TemplatingEngine;
}

serveThread({
  fill: async (job: LoadedJob) => {
    const warnings = new Set<string>();
    const { bytes, undefinedNames, pictures } = await fillDocument(job, (text) => warnings.add(text));
    const drawings = job.tellsDrawings ? await drawingsWithoutPixels(bytes) : new Map();
    const filled = { bytes, drawings, pictures, warnings: [...warnings], undefinedNames };
    return movedWhole(filled satisfies FilledDocument, bytes);
  },
  pixels: async ({ bytes, pixels }: PixelsJob) => {
    const file = await OfficePackage.open(bytes);
    addPixels(file, pixels);
    const complete = file.save();
    return movedWhole(complete, complete);
  },
  check: async ({ bytes, format, engine }: CheckJob) => await checkDocument(bytes, format, engine),
  text: async ({ bytes, format, engine }: CheckJob) => await documentText(bytes, format, engine),
});

/** Moves a result's bytes to the caller when they fill their buffer. */
function movedWhole(answer: unknown, { buffer, byteLength }: Uint8Array): unknown {
  const isWhole = byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  return isWhole ? moved(answer, [buffer]) : answer;
}
