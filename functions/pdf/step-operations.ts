import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '@platen/core/errors';
import { type PdfInput, inMergeOrder, withRepair } from '@platen/pdf/operations';
import { processPdfs } from '@platen/pdf/steps';
import { warnOfNotes, warnOfViolations } from '@platen/contract/options';
import { type WireStep, wireSteps } from '@platen/contract/steps';
import { document, type Produce, type Reply, type UploadedFile } from '../shared/http/index.ts';
import type { KeyUse } from './signatures.ts';
import { readySteps, type Sign, unnamed } from '../shared/step-values.ts';
import { nameOf } from './names.ts';
import { MAX_SIGNED_BYTES } from './signatures.ts';
import { PDF, type PdfOperations, type PdfRequest, type PdfWork, send, UNPROTECTED } from './work.ts';

/** The parts that every request shares that changes a PDF by steps. */
type StepRequest = PdfRequest & {
  form: { break_signatures?: boolean | undefined; input_password?: string | undefined };
};

type StepRoute =
  | 'processPdf'
  | 'stampPdf'
  | 'watermarkPdf'
  | 'attachToPdf'
  | 'outlinePdf'
  | 'flattenPdf'
  | 'selectPdfPages'
  | 'redactPdf'
  | 'imposePdf'
  | 'rotatePdf'
  | 'scalePdf'
  | 'numberPdfPages'
  | 'putPdfLetterhead'
  | 'decryptPdf'
  | 'linearizePdf';

/** Chains of steps, and single steps by routes of their own (I-46). */
export function stepOperations(work: PdfWork, signing: KeyUse): PdfOperations<StepRoute> {
  /** Executes one step, as its own route does. */
  const single = (request: StepRequest, step: WireStep): Promise<Produce> =>
    process(work, signing, { request, parts: [request.file('file')], steps: [step], list: null });

  return {
    async processPdf(request) {
      const parts = inMergeOrder(request.files.filter(({ field, size }) => size > 0 && isInput(field)));
      if (parts.length === 0) throw missingFile();
      const steps = wireSteps(request.form.steps);
      return await process(work, signing, { request, parts, steps, list: 'steps' });
    },

    stampPdf: (request) => single(request, { name: 'stamp', members: stamped(request) }),

    watermarkPdf: (request) => single(request, { name: 'watermark', members: stamped(request) }),

    attachToPdf: (request) => single(request, { name: 'attach', members: request.form }),

    outlinePdf: (request) => single(request, { name: 'outline', members: request.form }),

    flattenPdf: (request) => single(request, { name: 'flatten', members: {} }),

    selectPdfPages: (request) => single(request, { name: 'pages', members: request.form }),

    redactPdf: (request) => single(request, { name: 'redact', members: request.form }),

    imposePdf: (request) => single(request, { name: 'impose', members: request.form }),

    rotatePdf: (request) => single(request, { name: 'rotate', members: request.form }),

    scalePdf: (request) => single(request, { name: 'scale', members: request.form }),

    numberPdfPages: (request) => single(request, { name: 'page_numbers', members: request.form }),

    putPdfLetterhead: (request) => {
      const pdf = request.form.pdf ?? request.file('pdf').field;
      const first = request.form.first ?? request.optionalFile('first')?.field;
      return single(request, { name: 'letterhead', members: { pdf, first } });
    },

    decryptPdf: (request) => single(request, { name: 'decrypt', members: request.form }),

    linearizePdf: (request) => single(request, { name: 'linearize', members: {} }),
  };
}

/** The content to be stamped may be part of the member's name. */
function stamped<
  M extends { image?: string | undefined; pdf?: string | undefined; html?: string | undefined },
>(request: PdfRequest & { form: M }): M {
  return {
    ...request.form,
    image: request.form.image ?? request.optionalFile('image')?.field,
    pdf: request.form.pdf ?? request.optionalFile('pdf')?.field,
    html: request.form.html ?? request.optionalFile('html')?.field,
  };
}

interface Chain {
  request: StepRequest;
  /** The files that the steps apply to. */
  parts: readonly UploadedFile[];
  steps: readonly WireStep[];
  /** Name of the field with the steps; null for a single step. */
  list: string | null;
}

/** Executes steps on the files that they apply to. */
async function process(
  work: PdfWork,
  signing: KeyUse,
  { request, parts, steps, list }: Chain,
): Promise<Produce> {
  const { config } = work;
  const { break_signatures: breakSignatures = false, input_password: password } = request.form;
  const others = request.files.filter((file) => !parts.includes(file) && file.size > 0);
  const ready = await readySteps(steps, list, {
    files: others,
    most: config.maxInput,
    // Loaded when needed: most chains contain no invoice.
    invoiceOf: async (xml, profile) => (await import('../shared/factur-x.ts')).checkedInvoice(xml, profile),
    signerOf: (options) => signing.signerOf(request.tenant, options, request),
    fontOf: work.fontOf(request.tenant),
  });
  request.warnings.push(...unnamed(others, ready));
  await work.checkAll(parts);
  return async () => {
    const scratch = await request.scratch();
    const inputs: PdfInput[] = [];
    for (const part of parts) {
      inputs.push({
        ...(await work.onDisk(part, password)),
        ...(parts.length > 1 ? { name: part.field } : {}),
      });
    }
    const output = join(scratch, 'output.pdf');
    const options = work.optionsOf(request);
    const printHtml = work.printStamps?.(request);
    const task = {
      output,
      steps: await ready.load(),
      breakSignatures,
      place: list,
      fonts: config.fonts,
      // A protected document cannot be signed.
      protection: ready.sign === undefined ? ('keep' as const) : ('drop' as const),
      printHtml,
    };
    const [first] = parts;
    const name = `${first === undefined ? 'document' : nameOf(first)}.pdf`;
    const [input] = inputs;
    const isAsSent = task.steps.length === 0 && inputs.length === 1 && password === undefined;
    // Signing appends to the file, so that existing signatures stay valid.
    if (ready.sign !== undefined && input !== undefined && isAsSent) {
      return await sendSigned(input.path, name, ready.sign);
    }
    const { lostProtection, violations, notes } = await withRepair(inputs, scratch, options, (readable) =>
      processPdfs({ ...task, inputs: readable }, options),
    );
    if (lostProtection) request.warnings.push(UNPROTECTED);
    warnOfViolations(request.warnings)(violations);
    warnOfNotes(request.warnings)(notes);
    return ready.sign === undefined
      ? await send(output, name, PDF)
      : await sendSigned(output, name, ready.sign);
  };
}

/** Signs a document in memory and sends it. @throws PlatenError `file_too_large`, and as `Signing.signerOf` */
async function sendSigned(path: string, filename: string, sign: Sign): Promise<Reply> {
  const { size } = await stat(path);
  if (size > MAX_SIGNED_BYTES) throw tooLargeToSign(size);
  return document({ body: await sign(await readFile(path)), contentType: PDF, filename });
}

function tooLargeToSign(size: number): PlatenError {
  const [has, most] = [size, MAX_SIGNED_BYTES].map((bytes) => Math.round(bytes / 2 ** 20));
  const message = `sign: the document has ${has} MB; at most ${most} MB can be signed`;
  return new PlatenError('file_too_large', `${message}.`, { faults: [{ field: 'file', message }] });
}

/** Returns whether a part is an input of the steps; all other parts belong to steps. */
function isInput(field: string): boolean {
  return /^file_?\d*$/i.test(field);
}

function missingFile(): PlatenError {
  const message = 'send a PDF as `file`, or several as `file0`, `file1` and so on';
  return new PlatenError('missing_field', `\`file\`: ${message}.`, { faults: [{ field: 'file', message }] });
}
