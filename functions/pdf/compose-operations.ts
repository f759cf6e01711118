import { join } from 'node:path';
import { warnOfNotes } from '@platen/contract/options';
import {
  type PdfInput,
  checkMerge,
  inMergeOrder,
  mergePdfs,
  withRepair,
  splitPdf,
  splitPdfToZip,
} from '@platen/pdf/operations';
import { nameOf } from './names.ts';
import { PDF, type PdfOperations, type PdfWork, send } from './work.ts';

/** Merging and splitting (I-28). */
export function composeOperations(work: PdfWork): PdfOperations<'mergePdf' | 'splitPdf' | 'splitPdfToZip'> {
  return {
    async mergePdf(request) {
      const parts = inMergeOrder(request.files.filter(({ size }) => size > 0));
      checkMerge(parts.length);
      await work.checkAll(parts);
      return async () => {
        const scratch = await request.scratch();
        const inputs: PdfInput[] = [];
        for (const part of parts) {
          inputs.push({ ...(await work.onDisk(part, request.form.input_password)), name: part.field });
        }
        const output = join(scratch, 'output.pdf');
        const options = work.optionsOf(request);
        const notes = await withRepair(inputs, scratch, options, (readable) =>
          mergePdfs(readable, output, { ...options, breakSignatures: removesSignatures(request.form) }),
        );
        warnOfNotes(request.warnings)(notes);
        const [first] = parts;
        return await send(output, first === undefined ? 'merged.pdf' : `${nameOf(first)}-merged.pdf`, PDF);
      };
    },

    splitPdf: async (request) =>
      work.transform(
        request,
        request.form.input_password,
        async (input, output, options) => {
          const change = { ...options, breakSignatures: removesSignatures(request.form) };
          const notes = await splitPdf(input, request.form.splits, output, change);
          warnOfNotes(request.warnings)(notes);
        },
        '-split',
      ),

    splitPdfToZip: async (request) =>
      work.derive(request, request.form.input_password, async (input, { scratch, name }, options) => {
        const path = join(scratch, 'output.zip');
        const { splits } = request.form;
        const change = { ...options, breakSignatures: removesSignatures(request.form) };
        const notes = await splitPdfToZip(input, splits, path, { name, scratch }, change);
        warnOfNotes(request.warnings)(notes);
        return { path, name: `${name}.zip`, contentType: 'application/zip' };
      }),
  };
}

/** The results are new documents, which a signature never covers, so signatures are removed unless the call forbids it. */
function removesSignatures(form: { break_signatures?: boolean | undefined }): boolean {
  return form.break_signatures ?? true;
}
