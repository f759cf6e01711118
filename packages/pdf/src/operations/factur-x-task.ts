import { writeFile } from 'node:fs/promises';
import { restoreClaims } from '../conformance/restore-claims.ts';
import {
  conformantSaving,
  conformFile,
  type ConformanceLevel,
  type Conformity,
  notConformant,
} from '../conformance/index.ts';
import { isMet, reasonOf } from '../conformance/keep.ts';
import type { Violation } from '../conformance/violations.ts';
import type { Engine, PdfInput } from '../files/engine.ts';
import {
  attachInvoice,
  embedInvoice,
  type EmbeddedInvoice,
  extractInvoice,
  invoiceSchema,
  versionFor,
} from '../factur-x/index.ts';
import { claimsOfDocument, claimsOfFile } from '../look/claims.ts';
import { openReadable } from '../files/open.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';

/** The levels of PDF/A that permit an invoice. */
type InvoiceLevel = Extract<ConformanceLevel, `pdf/a-3${string}`>;

/** The conformance of a document with an invoice. */
export interface InvoiceConformance {
  /**
   * A level, or `none` for a document that stays what it is. By default PDF/A-3b, or the level of the document if that
   * is higher.
   */
  conformance?: InvoiceLevel | 'none' | undefined;
  /** The result for a document that only its author can repair, as in `ConformOptions`. */
  onViolation?: 'error' | 'warn' | undefined;
}

export interface EmbedTask extends InvoiceConformance {
  input: PdfInput;
  output: string;
  invoice: EmbeddedInvoice;
  /** Folder of the fonts; null if the deployment has none. */
  fonts: string | null;
  /** The field of the conformance, by its name in the API. */
  field?: string;
}

/** What a caller is told about a document with an invoice. */
export interface Embedded {
  violations: Violation[];
  notes: PdfNote[];
}

/**
 * Embeds an invoice, and makes the document PDF/A-3, as Factur-X demands.
 *
 * @throws PlatenError `not_conformant` if only the author can do that, unless `onViolation` is `warn`
 */
export async function embedFacturX(engine: Engine, task: EmbedTask): Promise<Embedded> {
  if (task.conformance === 'none') return { violations: [], notes: await embedOnly(engine, task) };
  const { output, conformance: least = 'pdf/a-3b', onViolation, field } = task;
  const claimed = claimsOfDocument(await openReadable(task.input, engine));
  const notes: PdfNote[] = [];
  let levels = task.conformance === undefined ? levelsOf(claimed, least) : withAccess(least, claimed);
  let done = await embedded(engine, task, levels);
  const met = levels.filter((level) => isMet(level, done.violations));
  if (met.length < levels.length && !(levels.length === 1 && levels[0] === least)) {
    // The document claims more than it meets.
    const now = met.some((level) => level !== 'pdf/ua-1') ? met : [least, ...met];
    notes.push({ claimed, now, reason: reasonOf(done.violations) });
    levels = now;
    done = await embedded(engine, task, levels);
  }
  const { file, violations } = done;
  if (violations.length > 0 && onViolation !== 'warn') throw notConformant(violations, levels, field);
  await file.saveTo(output, conformantSaving(file));
  return { violations, notes: [...done.notes, ...notes] };
}

/** Reads the document, attaches the invoice, and makes it conform. */
async function embedded(
  engine: Engine,
  { input, invoice, fonts }: EmbedTask,
  levels: readonly ConformanceLevel[],
): Promise<Conformity & { file: PdfFile }> {
  const file = await openReadable(input, engine);
  attachInvoice(file, invoice);
  const schemas = [invoiceSchema(invoice)];
  return { file, ...(await conformFile(file, { levels, schemas, fonts, breakSignatures: true })) };
}

/** PDF/A-3 at the level that a document claims; at least `least`. */
function levelsOf(claimed: readonly string[], least: InvoiceLevel): ConformanceLevel[] {
  const letter = claimed
    .map((claim) => /^pdf\/a-[123]([ua])$/.exec(claim)?.[1])
    .find((one) => one !== undefined);
  return withAccess(letter === 'a' ? 'pdf/a-3a' : letter === 'u' ? 'pdf/a-3u' : least, claimed);
}

/** A document that is accessible stays so. */
function withAccess(level: InvoiceLevel, claimed: readonly string[]): ConformanceLevel[] {
  return claimed.includes('pdf/ua-1') ? [level, 'pdf/ua-1'] : [level];
}

/** Embeds an invoice in a document that keeps its own claims, if it has any. */
async function embedOnly(engine: Engine, { input, output, invoice, fonts }: EmbedTask): Promise<PdfNote[]> {
  const file = await openReadable(input, engine);
  const claims = [claimsOfDocument(file)];
  embedInvoice(file, invoice);
  await writeFile(output, await file.save({ version: versionFor(file) }));
  const notes = await restoreClaims(engine, output, { claims, fonts });
  const isArchival = (await claimsOfFile(output)).some((claim) => claim.startsWith('pdf/a-3'));
  return isArchival ? notes : [...notes, 'invoice_without_archive'];
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
