import { join } from 'node:path';
import { fillPdfForm, type FormData, readPdfForm } from '@platen/pdf/forms';
import { pdfAttachments, pdfInfo, pdfText, imagesOfPages, wantedFormat } from '@platen/pdf/operations';
import { parsePageRange } from '@platen/pdf/options';
import { warnOfNotes } from '@platen/contract/options';
import { warnOfUnnamed } from '@platen/contract/reading';
import { json } from '../shared/http/index.ts';
import { textsIn } from '../shared/texts-in.ts';
import { fieldOnWire, infoOnWire } from './info.ts';
import { opener, PDF, type PdfOperations, type PdfWork } from './work.ts';

type InspectRoute = 'renderPdfPages' | 'pdfInfo' | 'pdfForm' | 'fillPdfForm' | 'pdfAttachments' | 'pdfText';

/** Operations that read a document: images of its pages, its properties, and its form (I-47, I-48). */
export function inspectOperations(work: PdfWork): PdfOperations<InspectRoute> {
  return {
    async renderPdfPages(request) {
      const { dpi, pages } = request.form;
      const format = request.params['format'] ?? '';
      wantedFormat({ format, pages });
      return await work.derive(request, request.form.input_password, (input, place, options) =>
        imagesOfPages(input, { format, dpi, pages, ...place }, options),
      );
    },

    async pdfInfo(request) {
      const info = await work.read(request, opener(request.form), pdfInfo);
      return json(infoOnWire(info));
    },

    async pdfForm(request) {
      const fields = await work.read(request, opener(request.form), readPdfForm);
      return json({ fields: fields.map(fieldOnWire) });
    },

    fillPdfForm: async (request) => {
      const { data, flatten = false, break_signatures: breakSignatures = false } = request.form;
      return await work.derive(request, opener(request.form), async (input, { scratch, name }, options) => {
        warnOfUnnamed(request.warnings, request.files, new Set(['file', ...textsIn(data)]));
        const images: Record<string, string> = {};
        for (const part of request.files) {
          if (part.field !== 'file') images[part.field] = await part.path(MAX_IMAGE);
        }
        const path = join(scratch, 'output.pdf');
        const { fonts: fontFolder } = work.config;
        const task = { input, output: path, data: data as FormData, flatten, images, fontFolder };
        warnOfNotes(request.warnings)(await fillPdfForm({ ...task, breakSignatures }, options));
        return { path, name: `${name}.pdf`, contentType: PDF };
      });
    },

    pdfAttachments: async (request) =>
      work.derive(request, opener(request.form), async (input, { scratch, name }, options) => {
        const path = join(scratch, 'output.zip');
        await pdfAttachments(input, path, scratch, options);
        return { path, name: `${name}-attachments.zip`, contentType: 'application/zip' };
      }),

    async pdfText(request) {
      const { format = 'text', pages } = request.form;
      if (pages !== undefined) parsePageRange(pages, 'pages');
      const { ending, type } = TEXT_FORMATS[format];
      return await work.derive(request, opener(request.form), async (input, { scratch, name }, options) => {
        const path = join(scratch, 'output.txt');
        await pdfText(input, path, { format, range: pages }, options);
        return { path, name: `${name}.${ending}`, contentType: type };
      });
    },
  };
}

/** Most bytes of an image for a button. */
const MAX_IMAGE = 50 * 2 ** 20;

/** The formats of extracted text. */
const TEXT_FORMATS = {
  text: { ending: 'txt', type: 'text/plain; charset=utf-8' },
  json: { ending: 'json', type: 'application/json; charset=utf-8' },
} as const;
