import { writeFile } from 'node:fs/promises';
import type { Engine, PdfInput } from '../files/engine.ts';
import { openReadable } from '../files/open.ts';
import type { PdfFile } from '../model/index.ts';
import { TextSetter } from '../text/index.ts';
import { isString, pdfText, textOf } from '../model/values.ts';
import { type Field, fieldsOf } from './fields.ts';
import { needsAppearances, drawFields } from './missing.ts';
import { edit } from './style.ts';

/** Forms of PDFs that LibreOffice exports from office documents, and that Chromium prints of html. */

export interface PrintedFormTask {
  input: PdfInput;
  output: string;
  /** The fonts of the service; null for none, so that readers draw the fields. */
  fontFolder: string | null;
}

/**
 * Runs in its thread: names the fields after their controls, and draws them, so that all programs show the same.
 *
 * @returns the names of the fields; for none, there is no output
 */
export async function settlePrintedForm(
  engine: Engine,
  { input, output, fontFolder }: PrintedFormTask,
): Promise<string[]> {
  const file = await openReadable(input, engine);
  nameByDescription(file, fieldsOf(file));
  const fields = fieldsOf(file);
  if (fields.length === 0) return [];
  if (fontFolder !== null && needsAppearances(file)) await drawAll(file, fontFolder, fields);
  await writeFile(output, await file.save());
  return fields.map(({ name }) => name);
}

/** Runs in its thread: draws the fields of a PDF that was printed of html (`addFields`). */
export async function drawPrintedForm(
  engine: Engine,
  { input, output, fontFolder }: PrintedFormTask,
): Promise<void> {
  const file = await openReadable(input, engine);
  if (fontFolder !== null) await drawAll(file, fontFolder, fieldsOf(file));
  // Every PDF is packed before it is sent (decision record 0028).
  await writeFile(output, await file.save({ pack: false }));
}

/** Readers are still asked to draw the fields if one of them has a character that no font has. */
async function drawAll(file: PdfFile, fonts: string, fields: readonly Field[]): Promise<void> {
  const setter = new TextSetter(file, fonts);
  // LibreOffice makes the field of a content control exactly as wide as its text, without the space that readers leave.
  const { undrawn } = await drawFields(file, setter, fields, true);
  await setter.finish();
  if (undrawn.length > 0) return;
  const { '/NeedAppearances': _drawn, ...form } = file.dict(file.catalog['/AcroForm']);
  edit(file, file.catalogRef, { '/AcroForm': form });
}

/** Names that LibreOffice generates for content controls, whose titles it writes as descriptions. */
const GENERATED_NAME = /^(?:Widget)?(?:_\d+)?$/;
/** Maximum length of a name. */
const MAX_NAME = 200;

function nameByDescription(file: PdfFile, fields: readonly Field[]): void {
  const taken = new Set(fields.map(({ name }) => name));
  for (const { ref, dict, name } of fields) {
    const described = file.resolve(dict['/TU']);
    if (!GENERATED_NAME.test(name) || !isString(described)) continue;
    // A full stop would separate the name of a field from those of its ancestors.
    const wanted = textOf(described).trim().slice(0, MAX_NAME).replaceAll('.', '_');
    if (wanted === '' || GENERATED_NAME.test(wanted)) continue;
    let unique = wanted;
    for (let number = 2; taken.has(unique); number++) unique = `${wanted} ${number}`;
    taken.add(unique);
    edit(file, ref, { '/T': pdfText(unique) });
  }
}
