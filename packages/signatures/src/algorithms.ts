import { constants, type KeyObject, verify } from 'node:crypto';
import * as asn1js from 'asn1js';
import { AlgorithmIdentifier, RSASSAPSSParams } from 'pkijs';

/** The algorithms that make and verify signatures. */

export type Digest = 'sha256' | 'sha384' | 'sha512';

interface Algorithm {
  digest: Digest;
  /** Object identifier of the digest. */
  digestOid: string;
  /** Object identifier of the signature algorithm. */
  oid: string;
}

const DIGEST_OIDS: Readonly<Record<Digest, string>> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};

/** Digests that verification accepts. SHA-1 and MD5 are insecure and therefore excluded. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(DIGEST_OIDS).map(([name, oid]): [string, string] => [oid, name]),
  ['2.16.840.1.101.3.4.2.8', 'sha3-256'],
  ['2.16.840.1.101.3.4.2.9', 'sha3-384'],
  ['2.16.840.1.101.3.4.2.10', 'sha3-512'],
]);

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const RSA_SHA256 = '1.2.840.113549.1.1.11';
const ED25519 = '1.3.101.112';
const ECDSA: Readonly<Record<Digest, string>> = {
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};
/** Signature algorithms whose identifier determines the digest. */
const WITH_DIGEST: ReadonlyMap<string, string> = new Map([
  [RSA_SHA256, 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ...Object.entries(ECDSA).map(([name, oid]): [string, string] => [oid, name]),
]);

/** The digest for each elliptic curve, by Node's name of the curve. */
const CURVES: ReadonlyMap<string, Digest> = new Map([
  ['prime256v1', 'sha256'],
  ['secp384r1', 'sha384'],
  ['secp521r1', 'sha512'],
]);

/**
 * Returns the algorithm of a key: RSA with PKCS #1 v1.5 and SHA-256, ECDSA with the digest of its curve; null
 * for other keys.
 */
export function signingAlgorithm(publicKey: KeyObject): Algorithm | null {
  if (publicKey.asymmetricKeyType === 'rsa') return algorithm('sha256', RSA_SHA256);
  if (publicKey.asymmetricKeyType !== 'ec') return null;
  const digest = CURVES.get(publicKey.asymmetricKeyDetails?.namedCurve ?? '');
  return digest === undefined ? null : algorithm(digest, ECDSA[digest]);
}

function algorithm(digest: Digest, oid: string): Algorithm {
  return { digest, digestOid: DIGEST_OIDS[digest], oid };
}

/**
 * Returns an algorithm identifier. Those of RSA have NULL as their parameter (RFC 8017, A.2.4), the others
 * have none.
 */
export function identifier(oid: string): AlgorithmIdentifier {
  return new AlgorithmIdentifier({
    algorithmId: oid,
    ...(oid === RSA_SHA256 ? { algorithmParams: new asn1js.Null() } : {}),
  });
}

/** Returns Node's name of a digest; null for an insecure or unknown one. */
export function digestNamed(oid: string): string | null {
  return DIGESTS.get(oid) ?? null;
}

/**
 * Returns whether `signature` is the key's signature of `data`. Returns false also for algorithms that are
 * unknown or insecure, and if the algorithm's digest is not the declared `digest`.
 */
export function isSignature(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  digest: string,
  key: KeyObject,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const kind = key.asymmetricKeyType;
  try {
    if (algorithmId === RSA_PSS && (kind === 'rsa' || kind === 'rsa-pss')) {
      const { hashAlgorithm, saltLength } = new RSASSAPSSParams({ schema: algorithmParams });
      if (digestNamed(hashAlgorithm.algorithmId) !== digest) return false;
      return verify(digest, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
    }
    if (algorithmId === ED25519 && kind === 'ed25519') return verify(null, data, key, signature);
    const named = algorithmId === RSA ? digest : WITH_DIGEST.get(algorithmId);
    const wanted = Object.values(ECDSA).includes(algorithmId) ? 'ec' : 'rsa';
    return named === digest && kind === wanted && verify(digest, data, key, signature);
  } catch {
    // The parameters or the signature cannot be parsed.
    return false;
  }
}
