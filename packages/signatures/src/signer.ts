import { sign, type X509Certificate } from 'node:crypto';
import { PlatenError } from '@platen/core/errors';
import { type Digest, signingAlgorithm } from './algorithms.ts';
import { certificateInfo, notValid } from './certificate.ts';
import type { KeyPair } from './pkcs12.ts';

/** A signer: a certificate, and a function that signs with its key. */
export interface Signer {
  certificate: X509Certificate;
  /** The certificates of the issuers, from the direct issuer upwards. */
  chain: readonly X509Certificate[];
  /** Signs the data with the key and returns an RSA signature (PKCS #1 v1.5) or an ECDSA signature in DER. */
  sign(data: Uint8Array, digest: Digest): Promise<Uint8Array>;
}

/** Returns a signer whose key is in memory, such as that of a PKCS #12 file. */
export function keySigner({ key, certificate, chain }: KeyPair): Signer {
  return { certificate, chain, sign: async (data, digest) => sign(digest, data, key) };
}

/** Returns the algorithm of a signer. @throws PlatenError `invalid_field` for a certificate whose key cannot sign */
export function algorithmOf({ certificate }: Pick<Signer, 'certificate'>): {
  digest: Digest;
  digestOid: string;
  oid: string;
} {
  const algorithm = signingAlgorithm(certificate.publicKey);
  if (algorithm === null) {
    throw notValid(
      'certificate',
      'is for a key that is neither RSA nor of the curves P-256, P-384 and P-521',
    );
  }
  return algorithm;
}

/**
 * Validates the period of a certificate.
 *
 * @throws PlatenError `certificate_expired` if it is not valid at that moment
 */
export function assertValid(certificate: X509Certificate, now: Date): void {
  const { subject, validFrom, validTo } = certificateInfo(certificate);
  const { validFromDate, validToDate } = certificate;
  if (now > validToDate) {
    throw new PlatenError('certificate_expired', `The certificate of ${subject} expired on ${validTo}.`);
  }
  if (now < validFromDate) {
    throw new PlatenError(
      'certificate_expired',
      `The certificate of ${subject} is valid from ${validFrom} on.`,
    );
  }
}
