import { PlatenError } from '@platen/core/errors';
import type { SignatureAppearance, SignatureContent } from '@platen/pdf/signature-appearance';
import { notValid } from './certificate.ts';
import { digestOf } from './asn1.ts';
import { signCms } from './cms.ts';
import { readCms } from './cms-reader.ts';
import {
  type Description,
  hasRoom,
  invisible,
  prepare,
  putSignature,
  signedParts,
  type View,
} from './embed.ts';
import type { Level } from './levels.ts';
import type { Loader } from './loader.ts';
import { addValidationData, validationData } from './long-term.ts';
import { algorithmOf, assertValid, type Signer } from './signer.ts';
import { visible } from './visible.ts';
import { requestTimestamp, type TimestampServer } from './timestamp.ts';

export interface SignOptions extends Omit<Description, 'time'> {
  /**
   * Level of PAdES: without a timestamp, with a timestamp, or with all data for later verification. Default
   * `b-b`.
   */
  level?: Level | undefined;
  /** Required for `b-t` and `b-lt`. */
  timestamps?: TimestampServer | undefined;
  /** Requests the revocation status; required for `b-lt`. */
  revocations?: Loader | undefined;
  /**
   * Content of the visible signature, and its position unless `field` gives it one. By default a new field is invisible,
   * and an existing one keeps its appearance.
   */
  appearance?: SignatureAppearance | SignatureContent | undefined;
  /** Folder with the fonts for the visible text; null if there are none. */
  fonts?: string | null | undefined;
  signal?: AbortSignal | undefined;
  /** Signing time. Default: now. */
  time?: Date | undefined;
}

/**
 * Bytes of a CMS structure without certificates: attributes, the signature's value and the enclosing
 * structures.
 */
const CMS_BYTES = 2_048;
/** Bytes that suffice for most timestamp tokens with their certificates. */
const TOKEN_BYTES = 8_192;

/**
 * Signs a PDF (PAdES, ETSI EN 319 142-1). The signature is appended, so that existing signatures stay valid.
 *
 * @returns the signed PDF
 * @throws PlatenError `certificate_expired` (or revoked), `timestamp_unavailable`, `revocation_unavailable`,
 * `invalid_field` for a document that may not be signed in this way; `pdf_invalid`, `pdf_damaged`,
 * `pdf_password_required`, `pdf_too_complex`; the errors of the signer
 */
export async function signPdf(pdf: Uint8Array, signer: Signer, options: SignOptions = {}): Promise<Buffer> {
  const { signal, time = new Date() } = options;
  checkSigning(signer, options);
  const { digest } = algorithmOf(signer);
  const server = serverOf(options);
  const timestamp = server && (async (value: Uint8Array) => requestTimestamp(server, value, signal));
  let room = CMS_BYTES + [signer.certificate, ...signer.chain].reduce((sum, { raw }) => sum + raw.length, 0);
  if (timestamp !== undefined) room += TOKEN_BYTES;
  for (;;) {
    const prepared = await prepare(pdf, { ...options, time }, room, viewOf(options));
    const cms = await signCms(signer, digestOf(digest, ...signedParts(prepared)), timestamp);
    if (hasRoom(prepared, cms)) {
      const signed = putSignature(prepared, cms);
      return options.level === 'b-lt' ? await forLongTerm(signed, cms, { ...options, time }) : signed;
    }
    // The timestamp token is larger than expected; the next one will have about the same length.
    room = cms.length + CMS_BYTES;
  }
}

/** Adds the data that later verification needs. */
async function forLongTerm(
  signed: Buffer,
  cms: Buffer,
  options: SignOptions & { time: Date },
): Promise<Buffer> {
  const { revocations, time, signal } = options;
  if (revocations === undefined) throw new Error('b-lt without a way to ask for revocation');
  const { certificate, certificates, timestamps } = readCms(cms);
  const stampers = timestamps.map(readCms);
  const data = await validationData(
    [certificate, ...stampers.map((stamper) => stamper.certificate)],
    [...certificates, ...stampers.flatMap((stamper) => stamper.certificates)],
    { loader: revocations, time, signal },
  );
  return await addValidationData(signed, data);
}

/**
 * Validates everything that does not depend on the document.
 *
 * @throws PlatenError `certificate_expired`, `timestamp_unavailable`, `invalid_field`
 */
export function checkSigning(signer: Signer, options: SignOptions): void {
  assertValid(signer.certificate, options.time ?? new Date());
  algorithmOf(signer);
  serverOf(options);
  viewOf(options);
}

/** @throws PlatenError `invalid_field` for a position together with a field, or for neither */
function viewOf({ appearance, field, fonts = null }: SignOptions): View {
  if (appearance === undefined) return { widget: invisible, fonts };
  const hasPlace = 'x' in appearance;
  if (hasPlace === (field !== undefined)) {
    const message = hasPlace
      ? 'has a position, and the field has one of its own: give one of them'
      : 'needs a position: give page, x, y, w and h, or the name of a field';
    throw notValid('appearance', message);
  }
  return hasPlace
    ? { widget: visible(appearance, fonts), fonts }
    : { widget: invisible, content: appearance, fonts };
}

/**
 * Returns the timestamp server; undefined if the level needs none.
 *
 * @throws PlatenError `timestamp_unavailable`
 */
function serverOf({ level = 'b-b', timestamps }: SignOptions): TimestampServer | undefined {
  if (level === 'b-b') return undefined;
  if (timestamps !== undefined) return timestamps;
  throw new PlatenError(
    'timestamp_unavailable',
    'The levels b-t and b-lt need a timestamp server, and this deployment has none.',
  );
}
