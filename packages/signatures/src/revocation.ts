import { X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  BasicOCSPResponse,
  CertID,
  Certificate,
  CertificateRevocationList,
  CRLDistributionPoints,
  OCSPRequest,
  OCSPResponse,
  Request,
  type SingleResponse,
  TBSRequest,
} from 'pkijs';
import { digestNamed, isSignature } from './algorithms.ts';
import { derOf, digestOf, octets } from './asn1.ts';
import { isFor, isIssuedBy, isValidAt } from './certificate.ts';

/**
 * Determines from OCSP responses (RFC 6960) and revocation lists (RFC 5280) whether a certificate was
 * revoked.
 */

export type Status = 'good' | 'revoked' | 'unknown';

/** The status of a certificate in a response or a list. */
export interface Revocation {
  status: Status;
  /** Time of the revocation. */
  since: Date | null;
}

const OCSP = '1.3.6.1.5.5.7.48.1';
const AUTHORITY_INFORMATION = '1.3.6.1.5.5.7.1.1';
const DISTRIBUTION_POINTS = '2.5.29.31';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const SHA1 = '1.3.14.3.2.26';
const UNKNOWN: Revocation = { status: 'unknown', since: null };
/**
 * Insecure digests that are allowed in certificate ids, because these only identify a certificate. All
 * responders support SHA-1.
 */
const ID_DIGESTS: ReadonlyMap<string, string> = new Map([[SHA1, 'sha1']]);

/** Returns the URLs of a certificate's OCSP responders. */
export function responderUrls(certificate: X509Certificate): string[] {
  const value = extensionOf(certificate, AUTHORITY_INFORMATION) as
    | { accessDescriptions?: { accessMethod: string; accessLocation: { type: number; value: unknown } }[] }
    | undefined;
  return (value?.accessDescriptions ?? [])
    .filter(({ accessMethod }) => accessMethod === OCSP)
    .flatMap(({ accessLocation: { type, value: url } }) =>
      type === URI && typeof url === 'string' ? [url] : [],
    );
}

/** Returns the URLs of a certificate's revocation lists. */
export function listUrls(certificate: X509Certificate): string[] {
  const value = extensionOf(certificate, DISTRIBUTION_POINTS);
  if (!(value instanceof CRLDistributionPoints)) return [];
  return value.distributionPoints.flatMap(({ distributionPoint }) =>
    (Array.isArray(distributionPoint) ? distributionPoint : []).flatMap(({ type, value: url }) =>
      type === URI && typeof url === 'string' && /^https?:/i.test(url) ? [url] : [],
    ),
  );
}

/** Tag of a GeneralName that is a URI. */
const URI = 6;

/** Returns the OCSP request for a certificate. */
export function ocspRequest(certificate: X509Certificate, issuer: X509Certificate): Buffer {
  const names = idHashes(issuer, 'sha1');
  const id = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA1, algorithmParams: new asn1js.Null() }),
    issuerNameHash: new asn1js.OctetString({ valueHex: names.name }),
    issuerKeyHash: new asn1js.OctetString({ valueHex: names.key }),
    serialNumber: Certificate.fromBER(certificate.raw).serialNumber,
  });
  const request = new OCSPRequest({
    tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: id })] }),
  });
  return Buffer.from(request.toSchema(true).toBER());
}

/**
 * Returns the status of a certificate in an OCSP response; `unknown` if the response is about another
 * certificate, is not fresh, or is not signed by the issuer or its delegated responder.
 *
 * @param time at which the response must be fresh; null to accept any time
 */
export function ocspStatus(
  der: Uint8Array,
  certificate: X509Certificate,
  issuer: X509Certificate,
  time: Date | null,
): Revocation {
  try {
    const { responseBytes } = OCSPResponse.fromBER(der);
    if (responseBytes === undefined) return UNKNOWN;
    const response = BasicOCSPResponse.fromBER(octets(responseBytes.response));
    const about = response.tbsResponseData.responses.find((one) => isAbout(one, certificate, issuer));
    if (about === undefined || !isFromResponder(response, issuer)) return UNKNOWN;
    if (time !== null && !isFresh(about.thisUpdate, about.nextUpdate, time)) return UNKNOWN;
    return statusOf(about);
  } catch {
    return UNKNOWN;
  }
}

/** Returns the status of a certificate in a revocation list, as `ocspStatus` does. */
export function listStatus(
  der: Uint8Array,
  certificate: X509Certificate,
  issuer: X509Certificate,
  time: Date | null,
): Revocation {
  try {
    const list = CertificateRevocationList.fromBER(der);
    const read = Certificate.fromBER(certificate.raw);
    if (!list.issuer.isEqual(Certificate.fromBER(issuer.raw).subject)) return UNKNOWN;
    const signature = Buffer.from(list.signatureValue.valueBlock.valueHexView);
    if (!isSignedWith(list.signatureAlgorithm, issuer, list.tbsView, signature)) return UNKNOWN;
    if (time !== null && !isFresh(list.thisUpdate.value, list.nextUpdate?.value, time)) return UNKNOWN;
    const entry = list.revokedCertificates?.find(({ userCertificate }) =>
      userCertificate.isEqual(read.serialNumber),
    );
    return entry === undefined
      ? { status: 'good', since: null }
      : { status: 'revoked', since: entry.revocationDate.value };
  } catch {
    return UNKNOWN;
  }
}

/** Returns the status of one certificate from all sources; a revocation in any of them takes precedence. */
export function statusIn(
  { responses, lists }: { responses: readonly Uint8Array[]; lists: readonly Uint8Array[] },
  certificate: X509Certificate,
  issuer: X509Certificate,
): Revocation {
  const all = [
    ...responses.map((response) => ocspStatus(response, certificate, issuer, null)),
    ...lists.map((list) => listStatus(list, certificate, issuer, null)),
  ];
  return (
    all.find(({ status }) => status === 'revoked') ?? all.find(({ status }) => status === 'good') ?? UNKNOWN
  );
}

/** Returns the certificates in an OCSP response. */
export function responderCertificates(der: Uint8Array): X509Certificate[] {
  try {
    const { responseBytes } = OCSPResponse.fromBER(der);
    if (responseBytes === undefined) return [];
    const { certs = [] } = BasicOCSPResponse.fromBER(octets(responseBytes.response));
    return certs.map((one) => new X509Certificate(derOf(one)));
  } catch {
    return [];
  }
}

function statusOf({ certStatus }: SingleResponse): Revocation {
  const status = certStatus as { idBlock: { tagNumber: number }; valueBlock?: { value?: unknown[] } };
  if (status.idBlock.tagNumber === 0) return { status: 'good', since: null };
  if (status.idBlock.tagNumber !== 1) return UNKNOWN;
  const since = status.valueBlock?.value?.[0];
  return { status: 'revoked', since: since instanceof asn1js.GeneralizedTime ? since.toDate() : null };
}

function isAbout({ certID }: SingleResponse, certificate: X509Certificate, issuer: X509Certificate): boolean {
  const { algorithmId } = certID.hashAlgorithm;
  const digest = ID_DIGESTS.get(algorithmId) ?? digestNamed(algorithmId);
  if (digest === null) return false;
  const { name, key } = idHashes(issuer, digest);
  return (
    octets(certID.issuerNameHash).equals(name) &&
    octets(certID.issuerKeyHash).equals(key) &&
    certID.serialNumber.isEqual(Certificate.fromBER(certificate.raw).serialNumber)
  );
}

function idHashes(issuer: X509Certificate, digest: string): { name: Buffer; key: Buffer } {
  const { subject, subjectPublicKeyInfo } = Certificate.fromBER(issuer.raw);
  return {
    name: digestOf(digest, derOf(subject)),
    key: digestOf(digest, new Uint8Array(subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView)),
  };
}

/**
 * Returns whether the issuer, or a responder to which it delegated signing, signed the response (RFC 6960,
 * 4.2.2.2).
 */
function isFromResponder(response: BasicOCSPResponse, issuer: X509Certificate): boolean {
  const { tbsResponseData, signatureAlgorithm, signature, certs = [] } = response;
  const value = Buffer.from(signature.valueBlock.valueHexView);
  const delegates = certs
    .map((one) => new X509Certificate(derOf(one)))
    .filter(
      (one) =>
        isIssuedBy(one, issuer) && isFor(one, OCSP_SIGNING) && isValidAt(one, tbsResponseData.producedAt),
    );
  return [issuer, ...delegates].some((one) =>
    isSignedWith(signatureAlgorithm, one, tbsResponseData.tbsView, value),
  );
}

function isSignedWith(
  algorithm: AlgorithmIdentifier,
  { publicKey }: X509Certificate,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  return ['sha256', 'sha384', 'sha512'].some((digest) =>
    isSignature(algorithm, digest, publicKey, data, signature),
  );
}

/** Tolerance in milliseconds for clocks that differ. */
const CLOCK_MS = 5 * 60 * 1000;

function isFresh(from: Date, to: Date | undefined, time: Date): boolean {
  return (
    from.getTime() - CLOCK_MS <= time.getTime() &&
    (to === undefined || time.getTime() <= to.getTime() + CLOCK_MS)
  );
}

function extensionOf({ raw }: X509Certificate, id: string): unknown {
  return Certificate.fromBER(raw).extensions?.find(({ extnID }) => extnID === id)?.parsedValue;
}
