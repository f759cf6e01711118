import { createHash, X509Certificate } from 'node:crypto';
import { PlatenError } from '@platen/core/errors';

/** Parses X.509 certificates and returns information about them. */

export interface CertificateInfo {
  subject: string;
  issuer: string;
  /** Hexadecimal. */
  serial: string;
  /** ISO 8601, UTC. */
  validFrom: string;
  validTo: string;
  /** SHA-256 of the certificate, hexadecimal. */
  fingerprint: string;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----/g;
/** Maximum certificates in the file of one key, and in one path. */
const MAX_CERTIFICATES = 20;

/**
 * Reads one or several certificates in PEM, or one in DER.
 *
 * @param field name of the field for errors
 * @throws PlatenError `invalid_field`
 */
export function readCertificates(bytes: Uint8Array, field: string): X509Certificate[] {
  const text = Buffer.from(bytes).toString('latin1');
  const pem = text.match(PEM) ?? [];
  const found: (string | Uint8Array)[] = pem.length > 0 ? pem : [bytes];
  if (found.length > MAX_CERTIFICATES) {
    throw notValid(field, `has more than ${MAX_CERTIFICATES} certificates`);
  }
  try {
    return found.map((one) => new X509Certificate(one));
  } catch (cause) {
    throw notValid(field, 'is not a certificate in PEM or DER', cause);
  }
}

/** Returns the error `invalid_field` for a field. */
export function notValid(field: string, message: string, cause?: unknown): PlatenError {
  return new PlatenError('invalid_field', `\`${field}\` ${message}.`, {
    faults: [{ field, message }],
    cause,
  });
}

/** Returns the information about a certificate. */
export function certificateInfo(certificate: X509Certificate): CertificateInfo {
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    serial: certificate.serialNumber.toLowerCase(),
    validFrom: certificate.validFromDate.toISOString(),
    validTo: certificate.validToDate.toISOString(),
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}

/** Returns whether a certificate is valid at a moment. */
export function isValidAt(certificate: X509Certificate, time: Date): boolean {
  return certificate.validFromDate <= time && time <= certificate.validToDate;
}

/** Returns whether a certificate is for a purpose, by the purpose's OID (RFC 5280, 4.2.1.12). */
export function isFor(certificate: X509Certificate, purpose: string): boolean {
  // Despite its type, Node's property is undefined for a certificate without the extension.
  const purposes = certificate.keyUsage as string[] | undefined;
  return purposes !== undefined && purposes.includes(purpose);
}

/** Returns whether `issuer` issued the certificate: the names match and the signature is valid. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // The type of the key or of the signature is unknown.
    return false;
  }
}

/**
 * Returns the path from `leaf` upwards, as far as `others` contains the issuers. Each certificate occurs
 * once, so certificates that issued one another do not cause an endless path.
 */
export function pathFrom(leaf: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const path = [leaf];
  for (let current = leaf; path.length <= MAX_CERTIFICATES;) {
    if (isIssuedBy(current, current)) break;
    const issuer = others.find(
      (other) => !path.some(({ raw }) => raw.equals(other.raw)) && isIssuedBy(current, other),
    );
    if (issuer === undefined) break;
    path.push(issuer);
    current = issuer;
  }
  return path;
}

function nameOf(lines: string): string {
  return lines.split('\n').filter(Boolean).join(', ');
}
