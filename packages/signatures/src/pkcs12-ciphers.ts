import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import type * as asn1js from 'asn1js';
import rc2 from 'node-forge/lib/rc2.js';
import forgeUtil from 'node-forge/lib/util.js';
import { type AlgorithmIdentifier, PBES2Params, PBKDF2Params } from 'pkijs';
import { octets } from './asn1.ts';

/**
 * Decrypts the contents of PKCS #12 files. New files use PBES2 (RFC 8018), old ones the schemes of RFC 7292,
 * appendix C. No library suffices: pkijs supports only PBES2, on WebCrypto, and node-forge supports all of
 * them, in JavaScript without a limit on the iterations that a file may demand. So Node derives keys and
 * decrypts, pkijs parses, and node-forge provides only RC2.
 */

/** Maximum iterations that one file may demand in total: a few seconds of work. */
export const MAX_ITERATIONS = 5_000_000;

/** The reason why a file cannot be opened. */
export class Pkcs12Error extends Error {}

export interface Password {
  text: string;
  /** Iterations that the file may still demand. */
  left: number;
}

const PBES2 = '1.2.840.113549.1.5.13';
const PRFS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.2.7', 'sha1'],
  ['1.2.840.113549.2.8', 'sha224'],
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.10', 'sha384'],
  ['1.2.840.113549.2.11', 'sha512'],
]);
/** Ciphers of PBES2 with the length of their keys in bytes. */
const CIPHERS: ReadonlyMap<string, [name: string, keyBytes: number]> = new Map([
  ['2.16.840.1.101.3.4.1.2', ['aes-128-cbc', 16]],
  ['2.16.840.1.101.3.4.1.22', ['aes-192-cbc', 24]],
  ['2.16.840.1.101.3.4.1.42', ['aes-256-cbc', 32]],
  ['1.2.840.113549.3.7', ['des-ede3-cbc', 24]],
]);
/** The schemes of RFC 7292, appendix C, with the length of their keys in bytes. */
const OLD_CIPHERS: ReadonlyMap<string, ['des-ede3-cbc' | 'des-ede-cbc' | 'rc2', keyBytes: number]> = new Map([
  ['1.2.840.113549.1.12.1.3', ['des-ede3-cbc', 24]],
  ['1.2.840.113549.1.12.1.4', ['des-ede-cbc', 16]],
  ['1.2.840.113549.1.12.1.5', ['rc2', 16]],
  ['1.2.840.113549.1.12.1.6', ['rc2', 5]],
]);
const BLOCK_BYTES = 8;

/**
 * Decrypts with a password.
 *
 * @throws Pkcs12Error for an unknown algorithm; Error for a wrong password
 */
export function decrypt(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  password: Password,
  data: Uint8Array,
): Buffer {
  if (algorithmId === PBES2)
    return decryptPbes2(new PBES2Params({ schema: algorithmParams }), password, data);
  const [cipher, keyBytes] = OLD_CIPHERS.get(algorithmId) ?? [];
  if (cipher === undefined || keyBytes === undefined) {
    throw new Pkcs12Error(`is encrypted in a way that is not supported (${algorithmId})`);
  }
  const [salt, iterations] = (algorithmParams as asn1js.Sequence).valueBlock.value;
  const rounds = (iterations as asn1js.Integer).valueBlock.valueDec;
  const derive = (purpose: number, length: number): Buffer =>
    deriveKey({ digest: 'sha1', password, salt: octets(salt), rounds, purpose, length });
  const key = derive(KEY, keyBytes);
  const iv = derive(IV, BLOCK_BYTES);
  return cipher === 'rc2' ? decryptRc2(key, iv, data) : decipher(cipher, key, iv, data);
}

function decryptPbes2(
  { keyDerivationFunc, encryptionScheme }: PBES2Params,
  password: Password,
  data: Uint8Array,
): Buffer {
  const [name, keyBytes] = CIPHERS.get(encryptionScheme.algorithmId) ?? [];
  if (name === undefined || keyBytes === undefined) {
    throw new Pkcs12Error(`is encrypted in a way that is not supported (${encryptionScheme.algorithmId})`);
  }
  const { salt, iterationCount, prf } = new PBKDF2Params({ schema: keyDerivationFunc.algorithmParams });
  // The default is HMAC with SHA-1 (RFC 8018, A.2).
  const digest = prf === undefined ? 'sha1' : PRFS.get(prf.algorithmId);
  if (digest === undefined) throw new Pkcs12Error('derives its key in a way that is not supported');
  spend(password, iterationCount);
  const key = pbkdf2Sync(password.text, octets(salt), iterationCount, keyBytes, digest);
  return decipher(name, key, octets(encryptionScheme.algorithmParams), data);
}

function decipher(name: string, key: Uint8Array, iv: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

function decryptRc2(key: Buffer, iv: Buffer, data: Uint8Array): Buffer {
  const cipher = rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8);
  cipher.start(iv.toString('latin1'));
  cipher.update(forgeUtil.createBuffer(Buffer.from(data).toString('latin1')));
  if (!cipher.finish()) throw new Error('wrong padding');
  return Buffer.from(cipher.output.getBytes(), 'latin1');
}

const KEY = 1;
const IV = 2;
/** The purpose "key of the MAC" (RFC 7292, B.3). */
export const MAC = 3;

interface Derivation {
  digest: string;
  password: Password;
  salt: Buffer;
  rounds: number;
  purpose: number;
  length: number;
}

/** Derives a key or an initialization vector (RFC 7292, appendix B). */
export function deriveKey({ digest, password, salt, rounds, purpose, length }: Derivation): Buffer {
  spend(password, rounds);
  // The password is in big-endian UTF-16 and ends with a NUL (B.1).
  const text = Buffer.from(`${password.text}\0`, 'utf16le').swap16();
  const block = /^sha(384|512)$/.test(digest) ? 128 : 64;
  const input = Buffer.concat([stretched(salt, block), stretched(text, block)]);
  const made: Buffer[] = [];
  for (let bytes = 0; bytes < length;) {
    let hash = createHash(digest).update(Buffer.alloc(block, purpose)).update(input).digest();
    for (let round = 1; round < rounds; round++) hash = createHash(digest).update(hash).digest();
    made.push(hash);
    bytes += hash.length;
    const addend = stretched(hash, block).subarray(0, block);
    for (let start = 0; start < input.length; start += block)
      addTo(input.subarray(start, start + block), addend);
  }
  return Buffer.concat(made).subarray(0, length);
}

/** Repeats the bytes up to a multiple of the block's length. */
function stretched(bytes: Buffer, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Computes target = target + addend + 1 for big-endian numbers. */
function addTo(target: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let index = target.length - 1; index >= 0; index--) {
    carry += (target[index] ?? 0) + (addend[index] ?? 0);
    target[index] = carry & 0xff;
    carry >>= 8;
  }
}

function spend(password: Password, iterations: number): void {
  password.left -= iterations;
  if (!(iterations > 0) || password.left < 0) {
    throw new Pkcs12Error(`asks for more than ${MAX_ITERATIONS} iterations`);
  }
}
