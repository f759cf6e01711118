import { join } from 'node:path';
import { compressPdf, conformPdf, encryptPdf } from '@platen/pdf';
import { embedInPdf, extractFromPdf, editPdfMetadata } from '@platen/pdf/operations';
import { metadataValues } from '@platen/pdf/options';
import { warnOfNotes, warnOfViolations, encryptOptions } from '@platen/contract/options';
import { type PdfOperations, type PdfWork, UNPROTECTED } from './work.ts';

type ChangeRoute =
  'compressPdf' | 'conformPdf' | 'editPdfMetadata' | 'encryptPdf' | 'embedFacturX' | 'extractFacturX';

/** The operations that change one document as a whole. */
export function changeOperations(work: PdfWork): PdfOperations<ChangeRoute> {
  return {
    compressPdf: async (request) =>
      work.transform(request, request.form.input_password, async ({ path, password }, output, options) => {
        const { options: given = {}, break_signatures: breakSignatures } = request.form;
        const compression = {
          quality: given.quality,
          maxDpi: given.max_dpi,
          removeDuplicates: given.remove_duplicates,
          objectStreams: given.object_streams,
          linearize: given.linearize,
        };
        const how = { ...options, password, breakSignatures };
        warnOfNotes(request.warnings)(await compressPdf(path, output, compression, how));
      }),

    conformPdf: async (request) =>
      work.transform(request, request.form.input_password, async ({ path, password }, output, options) => {
        const { conformance: levels, on_violation: onViolation, language, title } = request.form;
        const wanted = { levels, onViolation, language, title, fonts: work.config.fonts };
        const how = { ...options, password, breakSignatures: request.form.break_signatures };
        const { violations, notes, lostProtection } = await conformPdf(path, output, wanted, how);
        if (lostProtection) request.warnings.push(UNPROTECTED);
        warnOfViolations(request.warnings)(violations);
        warnOfNotes(request.warnings)(notes);
      }),

    async editPdfMetadata(request) {
      metadataValues(request.form.metadata);
      return work.transform(request, request.form.input_password, async (input, output, options) => {
        const { metadata, break_signatures: breakSignatures } = request.form;
        const notes = await editPdfMetadata(input, output, metadata, { ...options, breakSignatures });
        warnOfNotes(request.warnings)(notes);
      });
    },

    async encryptPdf(request) {
      const { password: given, options: others, ...fields } = request.form;
      const opening = given ?? others?.encrypt_password ?? others?.password;
      const encryption = encryptOptions({ ...fields, password: opening });
      return work.transform(
        request,
        request.form.input_password,
        async ({ path, password }, output, options) => {
          const how = { ...options, password, breakSignatures: request.form.break_signatures };
          const notes = await encryptPdf(path, output, encryption, how);
          warnOfNotes(request.warnings)(notes);
        },
      );
    },

    async embedFacturX(request) {
      const { profile, conformance, on_violation: onViolation } = request.form;
      const { input_password: password, break_signatures: breakSignatures } = request.form;
      const { checkedInvoice } = await import('../shared/factur-x.ts');
      const invoice = await checkedInvoice(request.file('xml'), profile);
      return work.transform(request, password, async (input, output, options) => {
        const wanted = { conformance, onViolation, breakSignatures, fonts: work.config.fonts };
        const task = { input, output, invoice, ...wanted };
        const { violations, notes, lostProtection } = await embedInPdf(task, options);
        if (lostProtection) request.warnings.push(UNPROTECTED);
        warnOfViolations(request.warnings)(violations);
        warnOfNotes(request.warnings)(notes);
      });
    },

    extractFacturX: async (request) =>
      work.derive(request, request.form.input_password, async (input, { scratch }, options) => {
        const path = join(scratch, 'invoice.xml');
        return { path, name: await extractFromPdf(input, path, options), contentType: 'application/xml' };
      }),
  };
}
