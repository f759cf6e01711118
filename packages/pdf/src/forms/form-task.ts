import { readFile, writeFile } from 'node:fs/promises';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { restoreClaims } from '../conformance/restore-claims.ts';
import type { Engine, PdfInput } from '../files/engine.ts';
import { claimsOfDocument } from '../look/claims.ts';
import { isEncrypted, openReadable } from '../files/open.ts';
import { openPdf, type PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import { saveProtected } from '../files/save-protected.ts';
import { TextSetter } from '../text/index.ts';
import { isDict } from '../model/values.ts';
import { fieldsOf } from './fields.ts';
import { fillForm, type FillOptions } from './fill.ts';
import { removeSignatures } from './unsigned.ts';

export interface FillTask extends FillOptions {
  input: PdfInput;
  output: string;
  /** Folder of the fonts of the service; null if there are none. */
  fontFolder: string | null;
  /** Whether signatures may become invalid. */
  breakSignatures: boolean;
}

/** Runs in its thread: fills a form. A protected document stays protected, and existing signatures stay valid. */
export async function fill(engine: Engine, task: FillTask): Promise<PdfNote[]> {
  const { input, output, fontFolder, flatten, breakSignatures } = task;
  if (fontFolder === null) throw new PlatenError('engine_missing', 'The fonts are not installed.');
  const opened = await openReadable(input, engine);
  const isSigned = hasSignatures(opened) && !breakSignatures;
  if (isSigned && flatten) throw signed('flattening it');
  const file = isSigned ? await openAsItIs(input) : opened;
  const removed = isSigned ? [] : removeSignatures(file).map(({ name }) => name);
  const notes: PdfNote[] = await fillForm(file, new TextSetter(file, fontFolder), {
    ...task,
    appends: isSigned,
  });
  if (removed.length > 0) notes.push({ signaturesRemoved: removed });
  if (isSigned) {
    await writeFile(output, (await file.saveIncremental()).bytes);
    return notes;
  }
  await saveProtected(engine, file, output, { as: input });
  if (await isEncrypted(engine, input)) return notes;
  const claims = [claimsOfDocument(file)];
  return [...notes, ...(await restoreClaims(engine, output, { claims, fonts: fontFolder }))];
}

function hasSignatures(file: PdfFile): boolean {
  return fieldsOf(file).some(
    (field) => field.type === '/Sig' && isDict(file.resolve(field.attributes['/V'])),
  );
}

/** A signature applies to the bytes of a file, to which changes can only be appended. */
async function openAsItIs(input: PdfInput): Promise<PdfFile> {
  try {
    return await openPdf(await readFile(input.path));
  } catch (error) {
    if (!isPlatenError(error) || !error.code.startsWith('pdf_')) throw error;
    throw signed('filling it, which cannot be appended to a file that is protected or damaged,');
  }
}

function signed(what: string): PlatenError {
  const message = `the PDF is signed, and ${what} breaks the signature: send \`break_signatures\` as true if that is meant`;
  return new PlatenError('pdf_signed', `\`file\`: ${message}.`, { faults: [{ field: 'file', message }] });
}
