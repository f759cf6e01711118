import { ordinalOf } from '@platen/core/ordinal';
import { join } from 'node:path';
import type { Finishing, FinishingPlace } from '@platen/pdf/finish';
import type { RecordFailure } from '../shared/store/jobs/record.ts';
import type { Collector } from './collect.ts';
import { documentName } from './naming.ts';
import type { Plan } from './plan.ts';
import { mediaType } from './output.ts';

/** The file with the documents of a batch. */

/** Returns the collector of a batch. */
export async function collectionOf(
  { template, output, whole }: Plan,
  count: number,
  finishing: FinishingPlace,
): Promise<Collector> {
  // Most requests are for one document and write no ZIP.
  const { PdfCollector, ZipCollector } = await import('./collect.ts');
  const collection = { name: template.name, count, output };
  return whole === null
    ? new ZipCollector(join(await finishing.scratch(), 'batch.zip'), collection)
    : new PdfCollector({ ...collection, title: template.title }, whole, finishing);
}

/** Returns the name and type of the file of a batch. */
export function fileType(name: string, whole: Finishing | null): { contentType: string; filename: string } {
  return whole === null
    ? { contentType: 'application/zip', filename: documentName(name, 'zip') }
    : { contentType: mediaType('pdf'), filename: documentName(name, 'pdf') };
}

/** Warns of records that are missing from a PDF; in a ZIP, `errors.json` lists them. */
export function warnOfLeft(left: readonly RecordFailure[], warnings: string[]): void {
  for (const { record, code, detail } of left)
    warnings.push(`the ${ordinalOf(record)} record is left out: ${code}: ${detail}`);
}
