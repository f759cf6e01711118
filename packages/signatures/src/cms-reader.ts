import { X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Certificate, ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo } from 'pkijs';
import { digestNamed, isSignature } from './algorithms.ts';
import { derOf, digestOf, octets } from './asn1.ts';
import { OIDS } from './cms.ts';

/** A parsed CMS signature with one signer. */
export interface CmsSignature {
  certificate: X509Certificate;
  /** All certificates in the structure. */
  certificates: X509Certificate[];
  /** The signed content if it is in the structure; null for a detached signature. */
  content: Buffer | null;
  contentType: string;
  /** The signature's value, which a timestamp covers. */
  value: Buffer;
  /** The timestamp tokens of the signature. */
  timestamps: Buffer[];
  /** Whether a signed attribute identifies the certificate, as CAdES and PAdES require. */
  namesCertificate: boolean;
  /** The signed attribute signing-time, which PAdES no longer allows. */
  signingTime: Date | null;
  info: SignerInfo;
}

/** Maximum certificates that are read from one signature. */
const MAX_CERTIFICATES = 64;

/** Parses a signature. @throws Error if it is not a signature that contains its signer's certificate */
export function readCms(der: Uint8Array): CmsSignature {
  const wrapper = ContentInfo.fromBER(der);
  if (wrapper.contentType !== ContentInfo.SIGNED_DATA) throw new Error('not signed data');
  const signed = new SignedData({ schema: wrapper.content });
  const [info] = signed.signerInfos;
  if (info === undefined || signed.signerInfos.length > 1) throw new Error('not signed by one signer');
  const plain = (signed.certificates ?? [])
    .filter((one) => one instanceof Certificate)
    .slice(0, MAX_CERTIFICATES);
  const certificates = plain.map((one) => new X509Certificate(derOf(one)));
  const certificate = certificates[plain.findIndex((one) => isOf(info, one))];
  if (certificate === undefined) throw new Error('without the certificate of its signer');
  const { eContent, eContentType } = signed.encapContentInfo;
  return {
    certificate,
    certificates,
    content: eContent === undefined ? null : octets(eContent),
    contentType: eContentType,
    value: octets(info.signature),
    timestamps: unsignedValues(info, OIDS.signatureTimestamp),
    namesCertificate: namesCertificate(info, certificate),
    signingTime: timeOf(signedValue(info, OIDS.signingTime)),
    info,
  };
}

/**
 * Returns whether the certificate's key made the signature for that content. Returns false also if the digest
 * or the signature algorithm is insecure.
 */
export function isSignedBy(
  { info, certificate, contentType }: CmsSignature,
  content: readonly Uint8Array[],
): boolean {
  const digest = digestNamed(info.digestAlgorithm.algorithmId);
  if (digest === null) return false;
  const signature = octets(info.signature);
  const { publicKey } = certificate;
  if (info.signedAttrs === undefined) {
    return isSignature(info.signatureAlgorithm, digest, publicKey, Buffer.concat(content), signature);
  }
  const messageDigest = signedValue(info, OIDS.messageDigest);
  const type = signedValue(info, OIDS.contentType);
  return (
    messageDigest instanceof asn1js.OctetString &&
    octets(messageDigest).equals(digestOf(digest, ...content)) &&
    type instanceof asn1js.ObjectIdentifier &&
    type.getValue() === contentType &&
    isSignature(
      info.signatureAlgorithm,
      digest,
      publicKey,
      new Uint8Array(info.signedAttrs.encodedValue),
      signature,
    )
  );
}

function isOf({ sid }: SignerInfo, certificate: Certificate): boolean {
  if (sid instanceof IssuerAndSerialNumber) {
    return sid.issuer.isEqual(certificate.issuer) && sid.serialNumber.isEqual(certificate.serialNumber);
  }
  const key = certificate.extensions?.find(({ extnID }) => extnID === '2.5.29.14')?.parsedValue as unknown;
  const wanted = Buffer.from(sid?.valueBlock?.valueHexView ?? []);
  return key instanceof asn1js.OctetString && wanted.length > 0 && octets(key).equals(wanted);
}

/**
 * Returns the single value of a signed attribute; undefined if it is missing.
 *
 * @throws Error for a duplicate attribute (RFC 5652, 5.3 and 11)
 */
function signedValue({ signedAttrs }: SignerInfo, type: string): asn1js.AsnType | undefined {
  const found = (signedAttrs?.attributes ?? []).filter((one) => one.type === type);
  if (found.length > 1 || (found[0]?.values.length ?? 1) !== 1)
    throw new Error('an attribute is there twice');
  return found[0]?.values[0] as asn1js.AsnType | undefined;
}

function unsignedValues({ unsignedAttrs }: SignerInfo, type: string): Buffer[] {
  return (unsignedAttrs?.attributes ?? [])
    .filter((one) => one.type === type)
    .flatMap(({ values }) => values as asn1js.AsnType[])
    .map((value) => Buffer.from(value.toBER()));
}

/**
 * Returns whether a signed attribute identifies the certificate. ESSCertID uses SHA-1, and ESSCertIDv2 uses
 * SHA-256 by default (RFC 5035).
 */
function namesCertificate(info: SignerInfo, { raw }: X509Certificate): boolean {
  for (const [type, standard] of [
    [OIDS.signingCertificateV2, 'sha256'],
    [OIDS.signingCertificate, 'sha1'],
  ] as const) {
    const value = signedValue(info, type);
    if (value === undefined) continue;
    const id = membersOf(membersOf(membersOf(value)[0])[0]);
    const [first, second] = id;
    const named = first instanceof asn1js.Sequence;
    const digest = named ? digestNamed(oidOf(membersOf(first)[0])) : standard;
    const hash = named ? second : first;
    if (digest !== null && hash instanceof asn1js.OctetString)
      return octets(hash).equals(digestOf(digest, raw));
  }
  return false;
}

function membersOf(value: unknown): asn1js.AsnType[] {
  return value instanceof asn1js.Sequence ? value.valueBlock.value : [];
}

function oidOf(value: unknown): string {
  return value instanceof asn1js.ObjectIdentifier ? value.getValue() : '';
}

function timeOf(value: unknown): Date | null {
  return value instanceof asn1js.UTCTime || value instanceof asn1js.GeneralizedTime ? value.toDate() : null;
}

/** Returns the bytes of a CMS structure that is followed by padding. @throws Error for any other bytes */
export function trimmed(padded: Uint8Array): Buffer {
  // The length is known only after parsing, because BER allows an indefinite length.
  const { offset } = asn1js.fromBER(padded);
  if (offset === -1) throw new Error('not ASN.1');
  return Buffer.from(padded.subarray(0, offset));
}
