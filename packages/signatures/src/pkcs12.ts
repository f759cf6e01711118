import { createHmac, createPrivateKey, createPublicKey, timingSafeEqual, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  AuthenticatedSafe,
  CertBag,
  EncryptedData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeBag,
  SafeContents,
} from 'pkijs';
import { signingAlgorithm } from './algorithms.ts';
import { derOf, octets } from './asn1.ts';
import { notValid, pathFrom } from './certificate.ts';
import { decrypt, deriveKey, MAC, MAX_ITERATIONS, type Password, Pkcs12Error } from './pkcs12-ciphers.ts';

/** A key with its certificate and the known certificates of the issuers. */
export interface KeyPair {
  key: KeyObject;
  certificate: X509Certificate;
  /** The certificates of the issuers, from the direct issuer upwards. */
  chain: X509Certificate[];
}

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const MAC_DIGESTS: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.4', 'sha224'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

/**
 * Opens a PKCS #12 file (RFC 7292) and returns the first private key that belongs to one of the certificates.
 * Supports PBES2 and the RC2 and triple DES schemes of old programs.
 *
 * @throws PlatenError `invalid_field` with the field `password` or `pkcs12`
 */
export function readPkcs12(file: Uint8Array, password: string): KeyPair {
  const { keys, certificates } = contentOf(file, { text: password, left: MAX_ITERATIONS });
  for (const key of keys) {
    const own = createPublicKey(key);
    const certificate = certificates.find(({ publicKey }) => publicKey.equals(own));
    if (certificate === undefined) continue;
    if (signingAlgorithm(own) === null) {
      throw notValid('pkcs12', 'has a key that is neither RSA nor of the curves P-256, P-384 and P-521');
    }
    return { key, certificate, chain: pathFrom(certificate, certificates).slice(1) };
  }
  throw notValid('pkcs12', 'has no private key with a certificate');
}

interface Content {
  keys: KeyObject[];
  certificates: X509Certificate[];
}

function contentOf(file: Uint8Array, password: Password): Content {
  let pfx: PFX;
  try {
    pfx = PFX.fromBER(file);
  } catch (cause) {
    throw notValid('pkcs12', 'is not a PKCS #12 file', cause);
  }
  try {
    if (!isMacRight(pfx, password)) throw notValid('password', 'does not open the PKCS #12 file');
    const content: Content = { keys: [], certificates: [] };
    for (const bag of bagsOf(pfx, password)) addBag(content, bag, password);
    return content;
  } catch (cause) {
    if (cause instanceof Pkcs12Error) throw notValid('pkcs12', cause.message, cause);
    if (cause instanceof Error && cause.name === 'PlatenError') throw cause;
    // If there is a MAC, it has already shown that the password is right.
    if (pfx.macData === undefined) throw notValid('password', 'does not open the PKCS #12 file', cause);
    throw notValid('pkcs12', 'is damaged', cause);
  }
}

function isMacRight({ authSafe, macData }: PFX, password: Password): boolean {
  if (macData === undefined) return true;
  const { mac, macSalt, iterations = 1 } = macData;
  const digest = MAC_DIGESTS.get(mac.digestAlgorithm.algorithmId);
  if (digest === undefined) {
    throw new Pkcs12Error(`is protected in a way that is not supported (${mac.digestAlgorithm.algorithmId})`);
  }
  const expected = octets(mac.digest);
  const key = deriveKey({
    digest,
    password,
    salt: octets(macSalt),
    rounds: iterations,
    purpose: MAC,
    length: expected.length,
  });
  const actual = createHmac(digest, key).update(octets(authSafe.content)).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function bagsOf({ authSafe }: PFX, password: Password): SafeBag[] {
  if (authSafe.contentType !== DATA) throw new Pkcs12Error('is protected by a key, not by a password');
  const { safeContents } = AuthenticatedSafe.fromBER(octets(authSafe.content));
  return safeContents.flatMap(({ contentType, content }) => {
    if (contentType === DATA) return SafeContents.fromBER(octets(content)).safeBags;
    if (contentType !== ENCRYPTED_DATA) throw new Pkcs12Error('is protected by a key, not by a password');
    const { encryptedContentInfo } = new EncryptedData({ schema: content });
    const data = encryptedContentInfo.getEncryptedContent();
    const plain = decrypt(encryptedContentInfo.contentEncryptionAlgorithm, password, new Uint8Array(data));
    return SafeContents.fromBER(plain).safeBags;
  });
}

/**
 * Adds the key or the certificate of a bag. Other bags, such as revocation lists and secrets, are not needed
 * for signing.
 */
function addBag({ keys, certificates }: Content, { bagValue }: SafeBag, password: Password): void {
  if (bagValue instanceof PKCS8ShroudedKeyBag) {
    const { encryptionAlgorithm, encryptedData } = bagValue;
    keys.push(pkcs8(decrypt(encryptionAlgorithm, password, octets(encryptedData))));
  } else if (bagValue instanceof PrivateKeyInfo) {
    keys.push(pkcs8(derOf(bagValue)));
  } else if (bagValue instanceof CertBag && bagValue.certValue instanceof asn1js.OctetString) {
    certificates.push(new X509Certificate(octets(bagValue.certValue)));
  } else if (bagValue instanceof CertBag) {
    const { parsedValue } = bagValue;
    if (parsedValue !== undefined) certificates.push(new X509Certificate(derOf(parsedValue)));
  }
}

function pkcs8(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
