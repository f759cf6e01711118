import { writeFile } from 'node:fs/promises';
import { restoreClaims } from '../claims.ts';
import type { Engine, PdfInput } from '../engine.ts';
import { embedInvoice, type EmbeddedInvoice, extractInvoice, versionFor } from '../factur-x/index.ts';
import { claimsOfDocument } from '../look/claims.ts';
import { openReadable } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';

export interface EmbedTask {
  input: PdfInput;
  output: string;
  invoice: EmbeddedInvoice;
  /** Whether signatures are removed; otherwise a signed document is refused. */
  breakSignatures?: boolean | undefined;
}

/** Runs in its thread: embeds an invoice. @returns the notes about the result */
export async function embedInvoiceTask(
  engine: Engine,
  { input, output, invoice, breakSignatures }: EmbedTask,
): Promise<PdfNote[]> {
  const { input: plain, notes } = await unsigned(engine, input, breakSignatures);
  const file = await openReadable(plain, engine);
  const claims = [claimsOfDocument(file)];
  embedInvoice(file, invoice);
  await writeFile(output, await file.save({ version: versionFor(file) }));
  return [...notes, ...(await restoreClaims(engine, output, { claims, fonts: null }))];
}

/** Runs in its thread: writes the invoice of a document to a file. @returns its name in the document */
export async function extractInvoiceTask(
  engine: Engine,
  { input, output }: { input: PdfInput; output: string },
): Promise<string> {
  const { xml, fileName } = extractInvoice(await openReadable(input, engine));
  await writeFile(output, xml);
  return fileName;
}
