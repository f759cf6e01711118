import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FunctionGroup } from '../shared/contract/route.ts';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import {
  document,
  type Operations,
  type PlatenRequest,
  type Produce,
  type Reply,
  type UploadedFile,
} from '../shared/http/index.ts';
import { checkPassword, type Permissions } from '@platen/pdf/encrypt';
import { mayBePdf, notPdf, type PdfInput } from '@platen/pdf/engine';
import { compressPdf, encryptPdf } from '@platen/pdf';
import type { CallOptions } from '@platen/pdf/thread';
import { Signing } from '../shared/signing/signing.ts';
import type { PdfConfig } from './config.ts';
import { nameOf } from './names.ts';
import { signatureOperations } from './signatures.ts';
import { imagesOfPages, wantedFormat } from '@platen/pdf/operations/images';
import { checkMerge, inMergeOrder, mergePdfs } from '@platen/pdf/operations/merge';
import { editPdfMetadata, metadataValues } from '@platen/pdf/operations/metadata';
import { withRepair } from '@platen/pdf/operations/repair';
import { splitPdf, splitPdfToZip } from '@platen/pdf/operations/split';

type Group = Extract<FunctionGroup, 'pdf'>;

/** What a request of this group always has. */
type Request = Pick<PlatenRequest, 'file' | 'files' | 'scratch' | 'signal' | 'deadline'>;

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

  return bounded({
    ...signatureOperations(signing),

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
  });
}

/** What was given up because the request's time ran out is answered as such. */
function bounded<T extends Operations<Group>>(operations: T): T {
  type AnyOperation = (request: Request) => Promise<Produce | Reply>;
  const entries = Object.entries(operations).map(([name, operation]): [string, AnyOperation] => [
    name,
    async (request) => {
      const produce = await (operation as AnyOperation)(request);
      // An answer that is there already.
      if (typeof produce !== 'function') return produce;
      return async () => {
        try {
          return await produce();
        } catch (error) {
          if (isPlatenError(error) || !request.signal.aborted) throw error;
          throw new PlatenError('deadline_exceeded', 'The transformation took too long.', { cause: error });
        }
      };
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
