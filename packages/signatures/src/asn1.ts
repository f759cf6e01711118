import { createHash } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Attribute } from 'pkijs';

/** Functions for reading and writing the structures of CMS, X.509 and PKCS #12. */

/** A structure of pkijs that can be encoded. */
interface Writable {
  toSchema(encodeFlag?: boolean): { toBER(): ArrayBuffer };
}

/** Returns the encoding of a structure; signed parts of a parsed structure keep their original bytes. */
export function derOf(structure: Writable): Buffer {
  return Buffer.from(structure.toSchema().toBER());
}

/**
 * Returns the bytes of an octet string, also of a constructed one.
 *
 * @throws Error for any other value
 */
export function octets(value: unknown): Buffer {
  if (!(value instanceof asn1js.OctetString)) throw new Error('not an octet string');
  return Buffer.from(value.getValue());
}

/** Parses the ASN.1 value in `bytes`. @throws Error for invalid bytes */
export function parseAsn1(bytes: Uint8Array): asn1js.AsnType {
  const { offset, result } = asn1js.fromBER(bytes);
  if (offset === -1) throw new Error(result.error === '' ? 'not ASN.1' : result.error);
  return result;
}

/** Returns a CMS attribute with one value. */
export function attribute(type: string, value: asn1js.AsnType): Attribute {
  return new Attribute({ type, values: [value] });
}

/** Sorts the members of a SET OF by their encodings, as DER requires (X.690, 11.6). */
export function inOrder(attributes: readonly Attribute[]): Attribute[] {
  return attributes
    .map((member) => ({ member, der: derOf(member) }))
    .toSorted((a, b) => Buffer.compare(a.der, b.der))
    .map(({ member }) => member);
}

/** Returns the digest of the concatenated parts. @param algorithm Node's name of the digest */
export function digestOf(algorithm: string, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
