import { parentPort, type Transferable } from 'node:worker_threads';
import type { OfficeFormat } from './format.ts';
import { isPlatenError } from '@platen/core/errors';
import type { ThreadAnswer } from '@platen/core/thread';
import type { TemplatingEngine } from '@platen/templating';
import { checkDocument, documentText, fillDocument } from './fill.ts';
import type { LoadedJob } from './job.ts';
import type { OfficeTask } from './thread.ts';

/** The thread in which office documents are filled, one after the other: templates are strangers' programs. */

async function fill(job: LoadedJob): Promise<{ value: Uint8Array; moved: Transferable[] }> {
  const value = await fillDocument(job);
  const isWhole = value.byteLength === value.buffer.byteLength && value.buffer instanceof ArrayBuffer;
  return { value, moved: isWhole ? [value.buffer] : [] };
}

interface CheckJob {
  bytes: Uint8Array;
  format: OfficeFormat;
  engine: TemplatingEngine;
}

async function answer({ task, input }: OfficeTask): Promise<{ reply: ThreadAnswer; moved: Transferable[] }> {
  try {
    if (task === 'fill') {
      const { value, moved } = await fill(input as LoadedJob);
      return { reply: { value }, moved };
    }
    const { bytes, format, engine } = input as CheckJob;
    if (task === 'text') return { reply: { value: await documentText(bytes, format, engine) }, moved: [] };
    await checkDocument(bytes, format, engine);
    return { reply: { value: null }, moved: [] };
  } catch (error) {
    if (isPlatenError(error)) {
      const { code, message, faults } = error;
      return { reply: { error: { code, message, faults } }, moved: [] };
    }
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { reply: { fault }, moved: [] };
  }
}

parentPort?.on('message', (task: OfficeTask) => {
  void answer(task).then(({ reply, moved }) => parentPort?.postMessage(reply, moved));
});
