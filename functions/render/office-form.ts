import { listed } from '@platen/core/listed';
import { formControls } from '@platen/office/form-controls';
import { settlePrintedForm } from '@platen/pdf/forms';
import type { Rendering } from './rendering.ts';
import { throughFiles } from './through-files.ts';

/** Forms in office documents whose fields stay fields in the PDF (I-48). */

/**
 * Names and draws the fields of a PDF that LibreOffice exported from a document.
 *
 * @throws PlatenError as `settlePrintedForm`
 */
export async function withFormFields(
  pdf: Uint8Array,
  document: Uint8Array,
  { fonts, scratch, signal, warn }: Rendering,
): Promise<Uint8Array> {
  const controls = await formControls(document);
  // LibreOffice writes the catalog as plain text; most documents have no form.
  if (!asBuffer(pdf).includes('/AcroForm')) {
    warnOfLost(controls, [], warn);
    return pdf;
  }
  return await throughFiles(pdf, scratch, async (path, output) => {
    const fields = await settlePrintedForm({ input: { path }, output, fontFolder: fonts }, { signal });
    warnOfLost(controls, fields, warn);
    return fields.length > 0;
  });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Most names in a warning. */
const MAX_NAMED = 20;

/** Some fields have names of LibreOffice's own; only if there are fewer of them than missing controls, some are lost. */
function warnOfLost(controls: readonly string[], fields: readonly string[], warn: Rendering['warn']): void {
  const known = new Set(controls);
  const written = new Set(fields);
  const others = fields.filter((name) => !known.has(name));
  const lost = [...new Set(controls.filter((name) => !written.has(name)))];
  if (lost.length <= others.length) return;
  warn(`form_fields: LibreOffice exports these controls as text, not as fields: ${listed(lost, MAX_NAMED)}.`);
}
