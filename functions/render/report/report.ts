import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectPdf } from '@platen/pdf';
import type { Step } from '@platen/pdf/steps';
import type { ReportJson } from '../../shared/contract/report.ts';
import type { Recorder } from './recorder.ts';

/** The password with which the steps of a rendering or its options encrypt it. */
type Protected = {
  encryptPassword: string | null;
  steps: readonly Step[];
};

/** The report of a document that was rendered. */
export async function reportOf(
  recorder: Recorder,
  pdf: Uint8Array,
  { encryptPassword, steps }: Protected,
  { scratch, signal }: { scratch: () => Promise<string>; signal: AbortSignal },
): Promise<ReportJson> {
  const path = join(await scratch(), `${randomUUID()}.pdf`);
  const step = steps.find((one) => one.name === 'encrypt')?.options;
  const password = encryptPassword ?? step?.password;
  try {
    await writeFile(path, pdf);
    const { pages } = await inspectPdf(path, { password, signal });
    return recorder.report({ pages, bytes: pdf.byteLength });
  } finally {
    await rm(path, { force: true });
  }
}
