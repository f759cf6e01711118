import type { X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { PlatenError } from '@platen/core/errors';
import { identifier, isSignature } from './algorithms.ts';
import { attribute, derOf, digestOf, inOrder, parseAsn1 } from './asn1.ts';
import { algorithmOf, type Signer } from './signer.ts';

/**
 * Makes CMS signatures (RFC 5652) that conform to PAdES (ETSI EN 319 122-1, EN 319 142-1); cms-reader.ts
 * reads them.
 */

export const OIDS = {
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
} as const;

const SIGNED = 0;
const UNSIGNED = 1;

/**
 * Returns a detached signature with the signer's certificates. It has no signing-time, because the time of a
 * PAdES signature is in the PDF.
 *
 * @param contentDigest digest of the signed content, by the signer's algorithm (`algorithmOf`)
 * @param timestamp returns a timestamp token for the signature's value; absent for a signature without one
 * @throws PlatenError the errors of the signer and `timestamp`; `invalid_field` if the key does not belong
 *   to the certificate
 */
export async function signCms(
  signer: Signer,
  contentDigest: Uint8Array,
  timestamp?: (signature: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  const { digest, digestOid, oid } = algorithmOf(signer);
  const attributes = inOrder([
    attribute(OIDS.contentType, new asn1js.ObjectIdentifier({ value: OIDS.data })),
    attribute(OIDS.messageDigest, new asn1js.OctetString({ valueHex: contentDigest })),
    attribute(OIDS.signingCertificateV2, signingCertificate(signer)),
  ]);
  const signed = Buffer.from(new asn1js.Set({ value: attributes.map((one) => one.toSchema()) }).toBER());
  const signature = await signer.sign(signed, digest);
  const algorithm = identifier(oid);
  if (!isSignature(algorithm, digest, signer.certificate.publicKey, signed, signature)) {
    const message = 'is not the key of its certificate';
    throw new PlatenError('invalid_field', `\`key\` ${message}.`, { faults: [{ field: 'key', message }] });
  }
  const certificates = [signer.certificate, ...signer.chain].map(writable);
  const [own = new Certificate()] = certificates;
  const info = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: digestOid }),
    signedAttrs: new SignedAndUnsignedAttributes({ type: SIGNED, attributes }),
    signatureAlgorithm: algorithm,
    signature: new asn1js.OctetString({ valueHex: signature }),
  });
  if (timestamp !== undefined) {
    const token = parseAsn1(await timestamp(signature));
    info.unsignedAttrs = new SignedAndUnsignedAttributes({
      type: UNSIGNED,
      attributes: [attribute(OIDS.signatureTimestamp, token)],
    });
  }
  const content = new SignedData({
    version: 1,
    digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: digestOid })],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: OIDS.data }),
    certificates,
    signerInfos: [info],
  });
  return derOf(new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: content.toSchema() }));
}

const written = new WeakMap<X509Certificate, Certificate>();

/**
 * Returns a certificate that can be part of a structure. It is cached and keeps its parsed form, because
 * pkijs would otherwise encode it again each time.
 */
function writable(certificate: X509Certificate): Certificate {
  const known = written.get(certificate);
  if (known !== undefined) return known;
  const schema = parseAsn1(certificate.raw);
  if (!(schema instanceof asn1js.Sequence)) throw new Error('a certificate is a sequence');
  const read = new Certificate({ schema });
  read.toSchema = () => schema;
  written.set(certificate, read);
  return read;
}

/** Returns SigningCertificateV2 (RFC 5035), which identifies the certificate by its SHA-256. */
function signingCertificate({ certificate }: Signer): asn1js.Sequence {
  const hash = new asn1js.OctetString({ valueHex: digestOf('sha256', certificate.raw) });
  const id = new asn1js.Sequence({ value: [hash] });
  return new asn1js.Sequence({ value: [new asn1js.Sequence({ value: [id] })] });
}
