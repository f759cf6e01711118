import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionGroup } from '../shared/contract/route.ts';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import {
  document,
  json,
  type Operations,
  type PlatenRequest,
  type Produce,
  type Reply,
  type UploadedFile,
} from '../shared/http/index.ts';
import { warnOfViolations } from '../shared/claims.ts';
import { checkPassword, type Permissions } from '@platen/pdf/encrypt';
import { mayBePdf, notPdf, type PdfInput } from '@platen/pdf/engine';
import { compressPdf, conformPdf, encryptPdf } from '@platen/pdf';
import { type FillNote, fillPdfForm, type FormData, readPdfForm } from '@platen/pdf/forms';
import { pdfAttachments, pdfInfo, pdfText } from '@platen/pdf/look';
import { parsePageRange } from '@platen/pdf/page-range';
import type { CallOptions } from '@platen/pdf/thread';
import { fieldOnWire, infoOnWire } from './info.ts';
import type { PdfConfig } from './config.ts';
import { nameOf } from './names.ts';
import { Signing } from '../shared/signing/signing.ts';
import { signatureOperations } from './signatures.ts';
import { embedInPdf, extractFromPdf } from '@platen/pdf/operations/factur-x';
import { imagesOfPages, wantedFormat } from '@platen/pdf/operations/images';
import { checkMerge, inMergeOrder, mergePdfs } from '@platen/pdf/operations/merge';
import { editPdfMetadata, metadataValues } from '@platen/pdf/operations/metadata';
import { withRepair } from '@platen/pdf/operations/repair';
import { splitPdf, splitPdfToZip } from '@platen/pdf/operations/split';
import { processPdfs } from '@platen/pdf/steps';
import { type WireStep, wireSteps } from '../shared/contract/steps.ts';
import { checkSteps, stepsOf } from '../shared/steps.ts';

type Group = Extract<FunctionGroup, 'pdf'>;

/** What a request of this group always has. */
type Request = Pick<
  PlatenRequest,
  'file' | 'optionalFile' | 'files' | 'scratch' | 'signal' | 'deadline' | 'warnings'
>;

/** What every request has that changes a PDF by steps. */
type StepRequest = Request & {
  form: { break_signatures?: boolean | undefined; input_password?: string | undefined };
};

const PDF = 'application/pdf';

/** The answers to the routes of the group: each reads the request, has one thing done, and sends the file. */
export function pdfOperations(config: PdfConfig): Operations<Group> {
  const signing = new Signing(config.signing);

  const optionsOf = ({ signal, deadline }: Request): CallOptions => ({
    signal,
    // Where a document is repaired first, that and the work have one time together.
    spent: { milliseconds: 0 },
    limits: { memory: config.memory, timeout: Math.max(1, Math.min(config.timeout, deadline - Date.now())) },
  });

  /** The engines read from disk. @param most bytes of the file */
  const onDisk = async (
    upload: UploadedFile,
    password: string | undefined,
    most = config.maxInput,
  ): Promise<PdfInput> => ({ path: await upload.path(most), password });

  /** A file that can be a PDF, as far as that is seen without opening it. */
  const checked = async (
    upload: UploadedFile,
    most = config.maxInput,
    name?: string,
  ): Promise<UploadedFile> => {
    upload.checkSize(most);
    const content = await upload.quick();
    if (content !== null && !mayBePdf(content)) throw notPdf(name);
    return upload;
  };

  /** Has something done to the one file of a request, repaired first where it must be. */
  async function transform(
    request: Request,
    password: string | undefined,
    work: (input: PdfInput, output: string, options: CallOptions) => Promise<void>,
    suffix = '',
  ): Promise<Produce> {
    const upload = await checked(request.file('file'));
    return async () => {
      const scratch = await request.scratch();
      const input = await onDisk(upload, password);
      const output = join(scratch, 'output.pdf');
      const options = optionsOf(request);
      await withRepair([input], scratch, options, async ([readable = input]) =>
        work(readable, output, options),
      );
      return await send(output, `${nameOf(upload)}${suffix}.pdf`, PDF);
    };
  }

  /** Carries out steps on the files that they are for. @param list name of the field with the steps; null: one step */
  async function process(
    request: StepRequest,
    parts: readonly UploadedFile[],
    steps: readonly WireStep[],
    list: string | null,
  ): Promise<Produce> {
    const { break_signatures: breakSignatures = false, input_password: password } = request.form;
    const others = request.files.filter((file) => !parts.includes(file) && file.size > 0);
    const needed = checkSteps(steps, list, new Set(others.map(({ field }) => field)));
    for (const { field } of others) {
      if (!needed.has(field)) request.warnings.push(`${field} ignored: no step names it`);
    }
    let left = config.maxInput;
    for (const part of parts) left -= (await checked(part, left, part.field)).size;
    return async () => {
      const scratch = await request.scratch();
      const inputs: PdfInput[] = [];
      for (const part of parts) {
        inputs.push({
          ...(await onDisk(part, password)),
          ...(parts.length > 1 ? { name: part.field } : {}),
        });
      }
      const paths = new Map<string, string>();
      for (const file of others) {
        if (needed.has(file.field)) paths.set(file.field, await file.path(config.maxInput));
      }
      const output = join(scratch, 'output.pdf');
      const options = optionsOf(request);
      const task = {
        output,
        steps: stepsOf(steps, paths),
        breakSignatures,
        place: list,
        fonts: config.fonts,
      };
      const { lostProtection } = await withRepair(inputs, scratch, options, (readable) =>
        processPdfs({ ...task, inputs: readable }, options),
      );
      if (lostProtection) request.warnings.push(UNPROTECTED);
      const [first] = parts;
      return await send(output, `${first === undefined ? 'document' : nameOf(first)}.pdf`, PDF);
    };
  }

  /** Carries out one step, as its own route does. */
  const single = (request: StepRequest, step: WireStep): Promise<Produce> =>
    process(request, [request.file('file')], [step], null);

  /** What is stamped may be a part of the member's name. */
  const stamped = <M extends { image?: string | undefined; pdf?: string | undefined }>(
    request: Request & { form: M },
  ): M => ({
    ...request.form,
    image: request.form.image ?? request.optionalFile('image')?.field,
    pdf: request.form.pdf ?? request.optionalFile('pdf')?.field,
  });

  /** Has something read from the one file of a request, repaired first where it must be. */
  async function read<T>(
    request: Request,
    password: string | undefined,
    work: (input: PdfInput, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const upload = await checked(request.file('file'));
    const input = await onDisk(upload, password);
    const options = optionsOf(request);
    return await withRepair([input], await request.scratch(), options, ([readable = input]) =>
      work(readable, options),
    );
  }
  return bounded({
    ...signatureOperations(signing),

    async processPdf(request) {
      const parts = inMergeOrder(request.files.filter(({ field, size }) => size > 0 && isInput(field)));
      if (parts.length === 0) throw missingFile();
      return await process(request, parts, wireSteps(request.form.steps), 'steps');
    },

    stampPdf: (request) => single(request, { name: 'stamp', members: stamped(request) }),

    watermarkPdf: (request) => single(request, { name: 'watermark', members: stamped(request) }),

    attachToPdf: (request) => single(request, { name: 'attach', members: request.form }),

    outlinePdf: (request) => single(request, { name: 'outline', members: request.form }),

    flattenPdf: (request) => single(request, { name: 'flatten', members: {} }),

    selectPdfPages: (request) => single(request, { name: 'pages', members: request.form }),

    rotatePdf: (request) => single(request, { name: 'rotate', members: request.form }),

    decryptPdf: (request) => single(request, { name: 'decrypt', members: request.form }),

    linearizePdf: (request) => single(request, { name: 'linearize', members: {} }),

    async mergePdf(request) {
      const parts = inMergeOrder(request.files.filter(({ size }) => size > 0));
      checkMerge(parts.length);
      let left = config.maxInput;
      for (const part of parts) left -= (await checked(part, left, part.field)).size;
      return async () => {
        const scratch = await request.scratch();
        const inputs: PdfInput[] = [];
        for (const part of parts) {
          inputs.push({ ...(await onDisk(part, request.form.input_password)), name: part.field });
        }
        const output = join(scratch, 'output.pdf');
        const options = optionsOf(request);
        await withRepair(inputs, scratch, options, (readable) => mergePdfs(readable, output, options));
        const [first] = parts;
        return await send(output, first === undefined ? 'merged.pdf' : `${nameOf(first)}-merged.pdf`, PDF);
      };
    },

    splitPdf: async (request) =>
      transform(
        request,
        request.form.input_password,
        (input, output, options) => splitPdf(input, request.form.splits, output, options),
        '-split',
      ),

    async splitPdfToZip(request) {
      const upload = await checked(request.file('file'));
      return async () => {
        const scratch = await request.scratch();
        const input = await onDisk(upload, request.form.input_password);
        const output = join(scratch, 'output.zip');
        const options = optionsOf(request);
        const place = { name: nameOf(upload), scratch };
        await withRepair([input], scratch, options, async ([readable = input]) =>
          splitPdfToZip(readable, request.form.splits, output, place, options),
        );
        return await send(output, `${nameOf(upload)}.zip`, 'application/zip');
      };
    },

    compressPdf: async (request) =>
      transform(request, request.form.input_password, ({ path, password }, output, options) => {
        const { options: given = {} } = request.form;
        const compression = {
          quality: given.quality,
          maxDpi: given.max_dpi,
          removeDuplicates: given.remove_duplicates,
          objectStreams: given.object_streams,
          linearize: given.linearize,
        };
        return compressPdf(path, output, compression, { ...options, password });
      }),

    conformPdf: async (request) =>
      transform(request, request.form.input_password, async ({ path, password }, output, options) => {
        const { conformance: levels, on_violation: onViolation, language, title } = request.form;
        const wanted = { levels, onViolation, language, title };
        const violations = await conformPdf(path, output, wanted, { ...options, password });
        warnOfViolations(request.warnings)(violations);
      }),

    async editPdfMetadata(request) {
      metadataValues(request.form.metadata);
      return transform(request, request.form.input_password, (input, output, options) =>
        editPdfMetadata(input, output, request.form.metadata, options),
      );
    },

    async encryptPdf(request) {
      const { password: given, options: others } = request.form;
      const userPassword = given ?? others?.encrypt_password ?? others?.password;
      if (userPassword === undefined) throw missingPassword();
      checkPassword(userPassword);
      const encryption = { userPassword, permissions: permissionsOf(request.form.permissions) };
      return transform(request, request.form.input_password, ({ path, password }, output, options) =>
        encryptPdf(path, output, encryption, { ...options, password }),
      );
    },

    async embedFacturX(request) {
      const { profile, input_password: password } = request.form;
      const { checkedInvoice } = await import('../shared/factur-x.ts');
      const invoice = await checkedInvoice(request.file('xml'), profile);
      return transform(request, password, (input, output, options) =>
        embedInPdf(input, invoice, output, options),
      );
    },

    async extractFacturX(request) {
      const upload = await checked(request.file('file'));
      return async () => {
        const scratch = await request.scratch();
        const input = await onDisk(upload, request.form.input_password);
        const output = join(scratch, 'invoice.xml');
        const options = optionsOf(request);
        const name = await withRepair([input], scratch, options, ([readable = input]) =>
          extractFromPdf(readable, output, options),
        );
        return await send(output, name, 'application/xml');
      };
    },

    async renderPdfPages(request) {
      const upload = await checked(request.file('file'));
      const { dpi, pages } = request.form;
      const format = request.params['format'] ?? '';
      wantedFormat({ format, pages });
      return async () => {
        const scratch = await request.scratch();
        const input = await onDisk(upload, request.form.input_password);
        const wanted = { format, dpi, pages, name: nameOf(upload), scratch };
        const options = optionsOf(request);
        const image = await withRepair([input], scratch, options, ([readable = input]) =>
          imagesOfPages(readable, wanted, options),
        );
        return await send(image.path, image.name, image.contentType);
      };
    },

    async pdfInfo(request) {
      const info = await read(request, opener(request.form), pdfInfo);
      return json(infoOnWire(info));
    },

    async pdfForm(request) {
      const fields = await read(request, opener(request.form), readPdfForm);
      return json({ fields: fields.map(fieldOnWire) });
    },

    async fillPdfForm(request) {
      const { data, flatten = false, break_signatures: breakSignatures = false } = request.form;
      const upload = await checked(request.file('file'));
      return async () => {
        const scratch = await request.scratch();
        const images: Record<string, string> = {};
        for (const part of request.files) {
          if (part.field !== 'file') images[part.field] = await part.path(MAX_IMAGE);
        }
        const input = await onDisk(upload, opener(request.form));
        const output = join(scratch, 'output.pdf');
        const { fonts: fontFolder } = config;
        const task = { output, data: data as FormData, flatten, images, fontFolder, breakSignatures };
        const options = optionsOf(request);
        const notes = await withRepair([input], scratch, options, ([readable = input]) =>
          fillPdfForm({ ...task, input: readable }, options),
        );
        request.warnings.push(...notes.map((note) => FILL_NOTES[note]));
        return await send(output, `${nameOf(upload)}.pdf`, PDF);
      };
    },

    async pdfAttachments(request) {
      const upload = await checked(request.file('file'));
      return async () => {
        const scratch = await request.scratch();
        const input = await onDisk(upload, opener(request.form));
        const output = join(scratch, 'output.zip');
        const options = optionsOf(request);
        await withRepair([input], scratch, options, ([readable = input]) =>
          pdfAttachments(readable, output, scratch, options),
        );
        return await send(output, `${nameOf(upload)}-attachments.zip`, 'application/zip');
      };
    },

    async pdfText(request) {
      const upload = await checked(request.file('file'));
      const { format = 'text', pages } = request.form;
      if (pages !== undefined) parsePageRange(pages, 'pages');
      return async () => {
        const scratch = await request.scratch();
        const input = await onDisk(upload, opener(request.form));
        const output = join(scratch, 'output.txt');
        const options = optionsOf(request);
        await withRepair([input], scratch, options, ([readable = input]) =>
          pdfText(readable, output, { format, range: pages }, options),
        );
        const { ending, type } = TEXT_FORMATS[format];
        return await send(output, `${nameOf(upload)}.${ending}`, type);
      };
    },
  });
}

/** Bytes of an image for a button. */
const MAX_IMAGE = 50 * 2 ** 20;

/** What a client is told of a form that has been filled. */
const FILL_NOTES: Readonly<Record<FillNote, string>> = {
  xfa_removed: 'the form had its fields as XFA too, which was removed: it would have shown the old values',
  calculations_left: 'the form calculates fields by scripts: those are left to the program that shows it',
};

/** How text is sent. */
const TEXT_FORMATS = {
  text: { ending: 'txt', type: 'text/plain; charset=utf-8' },
  json: { ending: 'json', type: 'application/json; charset=utf-8' },
} as const;

/** The password of an input, by either of its names. */
function opener(form: {
  input_password?: string | undefined;
  password?: string | undefined;
}): string | undefined {
  return form.input_password ?? form.password;
}

/** What was given up because the request's time ran out is answered as such. */
function bounded<T extends Operations<Group>>(operations: T): T {
  type AnyOperation = (request: Request) => Promise<Produce | Reply>;
  const entries = Object.entries(operations).map(([name, operation]): [string, AnyOperation] => [
    name,
    async (request) => {
      const timed = async <R>(work: () => Promise<R>): Promise<R> => {
        try {
          return await work();
        } catch (error) {
          if (isPlatenError(error) || !request.signal.aborted) throw error;
          throw new PlatenError('deadline_exceeded', 'The work took too long.', { cause: error });
        }
      };
      const outcome = await timed(() => (operation as AnyOperation)(request));
      return typeof outcome === 'function' ? () => timed(outcome) : outcome;
    },
  ]);
  return Object.fromEntries(entries) as unknown as T;
}

async function send(path: string, filename: string, contentType: string): Promise<Reply> {
  const reply = document({ body: createReadStream(path), contentType, filename });
  const { size } = await stat(path);
  reply.headers['content-length'] = String(size);
  return reply;
}

const UNPROTECTED = 'the file was protected, and the result is not: add the step encrypt where it is to be';

/** Parts of these names are what the steps are carried out on; all others belong to steps. */
function isInput(field: string): boolean {
  return /^file_?\d*$/i.test(field);
}

function missingFile(): PlatenError {
  const message = 'a PDF is needed, as `file`, or several as `file0`, `file1` and so on';
  return new PlatenError('missing_field', `\`file\`: ${message}.`, { faults: [{ field: 'file', message }] });
}

function missingPassword(): PlatenError {
  const message =
    'give the password to encrypt with, here or as `options.password` or `options.encrypt_password`';
  return new PlatenError('missing_field', `\`password\`: ${message}.`, {
    faults: [{ field: 'password', message }],
  });
}

/** What a reader may be allowed, by the names on the wire. */
const PERMISSIONS = {
  print: 'print',
  copy: 'copy',
  modify: 'modify',
  annotate: 'annotate',
  fill_forms: 'fillForms',
  assemble: 'assemble',
} as const satisfies Record<string, keyof Permissions>;

function permissionsOf(given: Readonly<Record<string, boolean>> | undefined): Permissions {
  const permissions: Permissions = {};
  for (const [name, allowed] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(PERMISSIONS, name)) {
      const known = Object.keys(PERMISSIONS);
      const message = `\`${name.slice(0, 40)}\` is not one of ${known.join(', ')}`;
      throw new PlatenError('invalid_option', `\`permissions\`: ${message}.`, {
        faults: [{ field: 'permissions', message, allowed: known }],
      });
    }
    permissions[PERMISSIONS[name as keyof typeof PERMISSIONS]] = allowed;
  }
  return permissions;
}
