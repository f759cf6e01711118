import { isPlatenError } from '@platen/core/errors';
import { inspectPdf } from '@platen/pdf';
import { openPdf } from '@platen/pdf/model';
import type { Step } from '@platen/pdf/steps';
import type { ReportJson } from '@platen/contract/resources';
import { withFile } from '../through-files.ts';
import type { Recorder } from './recorder.ts';

/** The options that may encrypt a document. */
interface Protection {
  encryptPassword: string | null;
  steps: readonly Step[];
}

/** The services for working on the document. */
interface Place {
  scratch: () => Promise<string>;
  signal: AbortSignal;
}

/** Returns the report of a rendered document. */
export async function reportOf(
  recorder: Recorder,
  pdf: Uint8Array,
  protection: Protection,
  place: Place,
): Promise<ReportJson> {
  return recorder.report({ pages: await pagesOf(pdf, protection, place), bytes: pdf.byteLength });
}

async function pagesOf(
  pdf: Uint8Array,
  { encryptPassword, steps }: Protection,
  { scratch, signal }: Place,
): Promise<number> {
  try {
    return (await openPdf(pdf)).pages().length;
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'pdf_password_required') throw error;
  }
  const password = encryptPassword ?? steps.find((one) => one.name === 'encrypt')?.options.password;
  return await withFile(pdf, scratch, async (path) => (await inspectPdf(path, { password, signal })).pages);
}
