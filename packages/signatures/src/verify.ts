import { X509Certificate } from 'node:crypto';
import { isPlatenError } from '@platen/core/errors';
import { openPdf, type PdfFile, isDict, type PdfDict, textOf } from '@platen/pdf/model';
import { type CertificateInfo, certificateInfo } from './certificate.ts';
import { changesBetween } from './changes.ts';
import { type CmsSignature, isSignedBy, readCms, trimmed } from './cms-reader.ts';
import { bytesOf, dateOf, permissionOf, type Permission, signatureFields } from './fields.ts';
import type { Certification, Change, Level, TrustFault } from './levels.ts';
import { storedValidationData } from './long-term.ts';
import { statusIn } from './revocation.ts';
import { readTimestamp, type Timestamp } from './timestamp.ts';
import { type Trust, trustOf } from './trust.ts';

/** The verification result of one signature. */
export interface Signature {
  /** Name of the signature field. */
  field: string;
  /** Subject of the signer's certificate; null if it cannot be parsed. */
  signer: string | null;
  /**
   * Signing time in ISO 8601, UTC: that of a trusted timestamp, otherwise the signer's statement; null if
   * there is neither.
   */
  time: string | null;
  timeSource: 'timestamp' | 'signer' | null;
  /** Level of PAdES; null for any other signature. */
  level: Level | null;
  subfilter: string | null;
  reason: string | null;
  location: string | null;
  contact: string | null;
  certify: Certification;
  /** Whether the signed bytes are unchanged and the certificate's key signed them. */
  intact: boolean;
  /** Whether the signature covers the file up to its end. */
  coversWholeFile: boolean;
  /** Changes that later revisions made to the document. */
  changesSince: Change[];
  /** Whether the certification permits these changes; without one, whether a signature does. */
  changesAllowed: boolean;
  /** The certificate of the signer and those of its issuers, from the direct issuer upwards. */
  chain: CertificateInfo[];
  trusted: boolean;
  /** The reason why the signer is not trusted. */
  trustFault: TrustFault | null;
}

export interface VerifyOptions {
  /** Trusted certificates. */
  anchors: readonly X509Certificate[];
  /** Time at which certificates must be valid if there is no trusted timestamp. Default: now. */
  now?: Date | undefined;
}

/** Maximum signatures that are verified. */
const MAX_SIGNATURES = 100;

const CERTIFIED = { 1: 'no_changes', 2: 'forms', 3: 'annotations' } as const;
/**
 * The changes that each certification permits. Without a certification, those of 3 are permitted, the most
 * permissive.
 */
const ALLOWED: Readonly<Record<Permission, readonly Change[]>> = {
  1: ['validation_data'],
  2: ['validation_data', 'signatures', 'form_fields'],
  3: ['validation_data', 'signatures', 'form_fields', 'annotations'],
};

/**
 * Verifies all signatures of a PDF in the order of its form, without network access.
 *
 * @throws PlatenError `pdf_invalid`, `pdf_damaged`, `pdf_password_required`, `pdf_too_complex`
 */
export async function verifyPdf(pdf: Uint8Array, options: VerifyOptions): Promise<Signature[]> {
  const file = await openPdf(pdf);
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const certification = certificationOf(file);
  const stored = readStored(file);
  const signatures: Signature[] = [];
  for (const { name, signature } of signatureFields(file)) {
    if (signature === null || signatures.length >= MAX_SIGNATURES) continue;
    signatures.push(
      await verifyOne({ bytes, file, field: name, dict: signature, certification, stored }, options),
    );
  }
  return signatures;
}

interface Found {
  bytes: Buffer;
  file: PdfFile;
  field: string;
  dict: PdfDict;
  /** The certification of the document, which applies to all its signatures. */
  certification: Permission | null;
  stored: Stored;
}

/** The validation data in the document. */
interface Stored {
  certificates: X509Certificate[];
  responses: Buffer[];
  lists: Buffer[];
}

async function verifyOne(
  { bytes, file, field, dict, certification, stored }: Found,
  { anchors, now = new Date() }: VerifyOptions,
): Promise<Signature> {
  const text = (key: string): string | null => textOf(file.resolve(dict[key])) || null;
  const subfilter = nameOf(file, dict);
  const range = rangeOf(bytes, file, dict);
  const cms = range === null ? null : cmsOf(range);
  const intact = range !== null && cms !== null && isSignedBy(cms, range.parts);
  const timestamp = cms === null ? null : timestampOf(cms);
  const stamper = timestamp && (await trustAt(timestamp.signature, anchors, stored, timestamp.time));
  const proven = stamper?.fault === null ? (timestamp?.time ?? null) : null;
  const trust = cms && (await trustAt(cms, anchors, stored, proven ?? now));
  const isForLongTerm = trust?.isCovered === true && stamper?.isCovered === true;
  const claimed = dateOf(file.resolve(dict['/M'])) ?? cms?.signingTime ?? null;
  const permission = permissionOf(file, dict);
  const changesSince = range === null ? [] : await changesAfter(bytes, file, range.end);
  return {
    field,
    signer: cms === null ? null : certificateInfo(cms.certificate).subject,
    time: (proven ?? claimed)?.toISOString() ?? null,
    timeSource: proven !== null ? 'timestamp' : claimed !== null ? 'signer' : null,
    level: levelOf(subfilter, cms, timestamp, isForLongTerm),
    subfilter,
    reason: text('/Reason'),
    location: text('/Location'),
    contact: text('/ContactInfo'),
    certify: permission === null ? 'none' : CERTIFIED[permission],
    intact,
    coversWholeFile: range?.end === bytes.length,
    changesSince,
    changesAllowed: changesSince.every((change) => ALLOWED[certification ?? 3].includes(change)),
    chain: (trust?.chain ?? []).map(certificateInfo),
    trusted: intact && trust?.fault === null,
    trustFault: trust?.fault ?? null,
  };
}

/** Returns the trust in a signer, including the revocation status from the document's validation data. */
async function trustAt(
  { certificate, certificates }: CmsSignature,
  anchors: readonly X509Certificate[],
  stored: Stored,
  time: Date,
): Promise<Trust & { isCovered: boolean }> {
  const trust = await trustOf(certificate, [...certificates, ...stored.certificates], anchors, time);
  const { chain } = trust;
  const statuses = chain.slice(0, -1).map((one, index) => statusIn(stored, one, chain[index + 1] ?? one));
  const isRevoked = statuses.some(
    ({ status, since }) => status === 'revoked' && (since === null || since <= time),
  );
  return {
    ...trust,
    fault: isRevoked ? 'revoked' : trust.fault,
    isCovered: statuses.length > 0 && statuses.every(({ status }) => status === 'good'),
  };
}

function readStored(file: PdfFile): Stored {
  const { certificates, ...others } = storedValidationData(file);
  const read = certificates.flatMap((der) => {
    try {
      return [new X509Certificate(der)];
    } catch {
      // The entry is not a certificate; the others may be sufficient.
      return [];
    }
  });
  return { ...others, certificates: read };
}

interface Range {
  /** The signed bytes. */
  parts: Buffer[];
  contents: Buffer;
  /** Offset of the end of the signed bytes. */
  end: number;
}

/**
 * Returns the bytes that a signature covers. Returns null unless they are the whole file up to some offset
 * except the signature's own value: otherwise a reader could show content that was not signed.
 */
function rangeOf(bytes: Buffer, file: PdfFile, dict: PdfDict): Range | null {
  const range = file.array(dict['/ByteRange']).map((value) => file.resolve(value));
  if (range.length !== 4 || !range.every((value) => Number.isSafeInteger(value))) return null;
  const [first = 0, gap = 0, second = 0, length = 0] = range as number[];
  const end = second + length;
  if (first !== 0 || gap < 0 || second < gap + 2 || length < 0 || end > bytes.length) return null;
  const between = bytes.subarray(gap, second).toString('latin1');
  if (!/^<[\da-f\s]*>$/i.test(between)) return null;
  const contents = Buffer.from(between.replace(/[<>\s]/g, ''), 'hex');
  // The value in the signature dictionary must be the one at this position of the file.
  if (!contents.equals(bytesOf(file.resolve(dict['/Contents'])))) return null;
  return { parts: [bytes.subarray(0, gap), bytes.subarray(second, end)], contents, end };
}

function cmsOf({ contents }: Range): CmsSignature | null {
  try {
    const cms = readCms(trimmed(contents));
    // A signature with its content in the structure does not cover the file.
    return cms.content === null ? cms : null;
  } catch {
    return null;
  }
}

/** Returns the first valid timestamp of a signature. */
function timestampOf({ timestamps, value }: CmsSignature): Timestamp | null {
  for (const token of timestamps) {
    try {
      const timestamp = readTimestamp(token, value);
      if (timestamp !== null) return timestamp;
    } catch {
      // The value is not a timestamp token; another one may be.
    }
  }
  return null;
}

function levelOf(
  subfilter: string | null,
  cms: CmsSignature | null,
  timestamp: Timestamp | null,
  isForLongTerm: boolean,
): Level | null {
  if (subfilter !== 'ETSI.CAdES.detached' || cms?.namesCertificate !== true) return null;
  if (timestamp === null) return 'b-b';
  return isForLongTerm ? 'b-lt' : 'b-t';
}

async function changesAfter(bytes: Buffer, file: PdfFile, end: number): Promise<Change[]> {
  if (end === bytes.length) return [];
  try {
    return changesBetween(await openPdf(bytes.subarray(0, end)), file);
  } catch (error) {
    // The signed revision cannot be opened as a document.
    if (isPlatenError(error)) return ['content'];
    throw error;
  }
}

function certificationOf(file: PdfFile): Permission | null {
  const signature = file.resolve(file.dict(file.catalog['/Perms'])['/DocMDP']);
  return isDict(signature) ? permissionOf(file, signature) : null;
}

function nameOf(file: PdfFile, dict: PdfDict): string | null {
  const name = file.resolve(dict['/SubFilter']);
  return typeof name === 'string' && name.startsWith('/') ? name.slice(1) : null;
}
