import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type PlatenError, isPlatenError } from '@platen/core/errors';
import { damagedPdf, type Engine, notPdf, type PdfInput } from '../files/engine.ts';
import { openPages } from '../graft/assemble.ts';
import { rebuildOrExplain } from '../rebuild/index.ts';
import { PdfiumDocument } from '../pdfium/document.ts';

export interface RepairTask {
  /** Compiled PDFium. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
  output: string;
}

/** Larger documents are not read into memory. */
const MAX_BYTES = 256 << 20;

/**
 * Runs in its thread: writes the readable parts of a damaged document as a valid one. A scan of its bytes finds
 * all objects, with their numbers and encryption; PDFium handles more kinds of damage, and decrypts the result;
 * and some documents need both, one after the other.
 *
 * @returns the password that opens the result
 * @throws PlatenError `pdf_damaged` if no attempt gives a document that can be read; `pdf_invalid` for a file
 * without objects; `pdf_password_required`, `pdf_password_wrong`
 */
export async function repair(engine: Engine, task: RepairTask): Promise<string | undefined> {
  const { pdfium, input, output } = task;
  const rebuilt = { ...input, path: engine.temporary('pdf') };
  const missing = await rebuild(input.path, rebuilt.path);
  const ways: (() => Promise<PdfInput>)[] = [
    async () => {
      await copyFile(rebuilt.path, output);
      return { ...input, path: output };
    },
    () => saveWithPdfium(pdfium, input, output),
    () => saveWithPdfium(pdfium, rebuilt, output),
  ];
  let failure: PlatenError | undefined;
  for (const [index, way] of ways.entries()) {
    if (missing !== undefined && index !== 1) continue;
    try {
      const document = await way();
      await openPages(document, engine);
      return document.password;
    } catch (error) {
      if (!isPlatenError(error) || !/^pdf_(?:damaged|invalid|password)/.test(error.code)) throw error;
      // The error about its protection is more specific than that about its damage.
      if (failure === undefined || isProtected(error)) failure = error;
    }
  }
  if (missing === undefined || isProtected(failure)) throw failure ?? damagedPdf(input.name);
  throw missing === '' ? notPdf(input.name) : damagedPdf(input.name, missing);
}

/**
 * @returns a sentence about the missing part if there is no document in the file; an empty one if the cause is
 * unknown
 */
async function rebuild(path: string, output: string): Promise<string | undefined> {
  if ((await stat(path)).size > MAX_BYTES) {
    return `The PDF is damaged, and larger than the ${MAX_BYTES >> 20} MB that can be repaired.`;
  }
  const rebuilt = rebuildOrExplain(await readFile(path));
  if (typeof rebuilt === 'string') return rebuilt;
  await writeFile(output, rebuilt);
  return undefined;
}

function isProtected(error: PlatenError | undefined): boolean {
  return error?.code.startsWith('pdf_password') === true;
}

async function saveWithPdfium(
  pdfium: WebAssembly.Module,
  input: PdfInput,
  output: string,
): Promise<PdfInput> {
  await rm(output, { force: true });
  const document = await PdfiumDocument.open(pdfium, input);
  try {
    if (document.pages === 0) throw damagedPdf(input.name);
    document.save(output);
  } finally {
    document.close();
  }
  return { path: output, name: input.name };
}
