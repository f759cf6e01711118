import type { X509Certificate } from 'node:crypto';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { openPdf, type PdfFile, type PdfDict, type PdfValue, isRef } from '@platen/pdf/model';
import { certificateInfo, isIssuedBy, pathFrom } from './certificate.ts';
import type { Loader } from './loader.ts';
import {
  listStatus,
  listUrls,
  ocspRequest,
  ocspStatus,
  responderCertificates,
  responderUrls,
  type Revocation,
} from './revocation.ts';

/**
 * Collects and stores the data that verification needs after certificates have expired and responders have
 * shut down (level B-LT).
 */

export interface ValidationData {
  certificates: X509Certificate[];
  /** OCSP responses in DER. */
  responses: Buffer[];
  /** Revocation lists in DER. */
  lists: Buffer[];
}

const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_LIST_BYTES = 16 * 2 ** 20;

interface Asking {
  loader: Loader;
  time: Date;
  signal: AbortSignal | undefined;
}

/**
 * Requests the revocation status of all certificates in the paths of `leaves`.
 *
 * @param leaves certificates of signers and timestamp servers
 * @param known certificates that may be part of the paths
 * @throws PlatenError `revocation_unavailable` if no source has the status of a certificate,
 *   `certificate_expired` for a revoked certificate; the signal's reason
 */
export async function validationData(
  leaves: readonly X509Certificate[],
  known: readonly X509Certificate[],
  asking: Asking,
): Promise<ValidationData> {
  const data: ValidationData = { certificates: [], responses: [], lists: [] };
  for (const leaf of leaves) await addPath(data, pathFrom(leaf, known), asking);
  return data;
}

async function addPath(
  data: ValidationData,
  path: readonly X509Certificate[],
  asking: Asking,
): Promise<void> {
  for (const [index, certificate] of path.entries()) {
    if (data.certificates.some(({ raw }) => raw.equals(certificate.raw))) continue;
    data.certificates.push(certificate);
    const issuer = path[index + 1];
    if (issuer !== undefined) await addRevocation(data, certificate, issuer, asking);
    else if (!isIssuedBy(certificate, certificate)) {
      throw unavailable(certificate, 'the certificate of its issuer is not there');
    }
  }
}

async function addRevocation(
  data: ValidationData,
  certificate: X509Certificate,
  issuer: X509Certificate,
  asking: Asking,
): Promise<void> {
  const { time } = asking;
  for (const url of responderUrls(certificate)) {
    const response = await load(asking, url, MAX_RESPONSE_BYTES, ocspRequest(certificate, issuer));
    if (response === null || !isAnswer(ocspStatus(response, certificate, issuer, time), certificate))
      continue;
    data.responses.push(response);
    for (const one of responderCertificates(response)) {
      if (!data.certificates.some(({ raw }) => raw.equals(one.raw))) data.certificates.push(one);
    }
    return;
  }
  for (const url of listUrls(certificate)) {
    const list = await load(asking, url, MAX_LIST_BYTES);
    if (list === null || !isAnswer(listStatus(list, certificate, issuer, time), certificate)) continue;
    if (!data.lists.some((one) => one.equals(list))) data.lists.push(list);
    return;
  }
  throw unavailable(certificate, 'no responder and no revocation list contains its status');
}

/**
 * Returns whether the status is known and good.
 *
 * @throws PlatenError `certificate_expired` for a revoked certificate
 */
function isAnswer({ status, since }: Revocation, certificate: X509Certificate): boolean {
  if (status !== 'revoked') return status === 'good';
  const { subject } = certificateInfo(certificate);
  const when = since === null ? '' : ` on ${since.toISOString()}`;
  throw new PlatenError('certificate_expired', `The certificate of ${subject} was revoked${when}.`);
}

/** Requests a URL; returns null if it fails, because another URL may have the data. */
async function load(
  { loader, signal }: Asking,
  url: string,
  maxBytes: number,
  body?: Uint8Array,
): Promise<Buffer | null> {
  try {
    const { status, bytes } = await loader.fetch(url, {
      maxBytes,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/ocsp-request' } }),
      ...(signal === undefined ? {} : { signal }),
    });
    return status === 200 ? Buffer.from(bytes) : null;
  } catch (error) {
    if (isPlatenError(error)) return null;
    throw error;
  }
}

function unavailable(certificate: X509Certificate, why: string): PlatenError {
  const { subject } = certificateInfo(certificate);
  return new PlatenError(
    'revocation_unavailable',
    `The revocation status of the certificate of ${subject} is unknown: ${why}.`,
  );
}

/** Adds validation data to that of a document, as an incremental update (ISO 32000-2, 12.8.4.3). */
export async function addValidationData(pdf: Uint8Array, data: ValidationData): Promise<Buffer> {
  const file = await openPdf(pdf);
  const { catalog } = file;
  const store = catalog['/DSS'];
  const before = file.dict(store);
  const streams = (key: string, members: readonly Uint8Array[]): PdfDict => {
    const all: PdfValue[] = [...file.array(before[key]), ...members.map((member) => file.add({}, member))];
    return all.length === 0 ? {} : { [key]: all };
  };
  const now: PdfDict = {
    ...before,
    '/Type': '/DSS',
    ...streams(
      '/Certs',
      data.certificates.map(({ raw }) => raw),
    ),
    ...streams('/OCSPs', data.responses),
    ...streams('/CRLs', data.lists),
  };
  if (isRef(store)) file.set(store, now);
  else file.set(file.catalogRef, { ...catalog, '/DSS': file.add(now) });
  const { bytes } = await file.saveIncremental();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Maximum streams of each kind that are read from a document's validation data. */
const MAX_STREAMS = 1_000;

/** Returns the validation data of a document as unverified DER. */
export function storedValidationData(
  file: PdfFile,
): Record<'certificates' | 'responses' | 'lists', Buffer[]> {
  const store = file.dict(file.catalog['/DSS']);
  const read = (key: string): Buffer[] =>
    file
      .array(store[key])
      .slice(0, MAX_STREAMS)
      .flatMap((value) => {
        const stream = isRef(value) ? file.streamData(value, MAX_LIST_BYTES) : undefined;
        return stream === undefined || stream.filters.length > 0 ? [] : [Buffer.from(stream.data)];
      });
  return { certificates: read('/Certs'), responses: read('/OCSPs'), lists: read('/CRLs') };
}
