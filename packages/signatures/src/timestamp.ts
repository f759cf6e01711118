import { randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  ContentInfo,
  MessageImprint,
  PKIStatus,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { PlatenError } from '@platen/core/errors';
import { digestNamed } from './algorithms.ts';
import { derOf, digestOf } from './asn1.ts';
import { isFor } from './certificate.ts';
import { OIDS } from './cms.ts';
import { type CmsSignature, isSignedBy, readCms } from './cms-reader.ts';
import type { Loader } from './loader.ts';

/** Requests and verifies timestamps (RFC 3161). */

export interface Timestamp {
  time: Date;
  /** The signature of the timestamp server. */
  signature: CmsSignature;
}

/** A timestamp server, and the loader that reaches it. */
export interface TimestampServer {
  url: string;
  loader: Loader;
}

const SHA256 = '2.16.840.1.101.3.4.2.1';
const TIMESTAMPING = '1.3.6.1.5.5.7.3.8';
const NONCE_BYTES = 8;
const MAX_TOKEN_BYTES = 64 * 1024;

/**
 * Requests a timestamp token for `data` and verifies it.
 *
 * @throws PlatenError `timestamp_unavailable`; the signal's reason
 */
export async function requestTimestamp(
  { url, loader }: TimestampServer,
  data: Uint8Array,
  signal?: AbortSignal,
): Promise<Buffer> {
  const nonce = new asn1js.Integer({ valueHex: positive(randomBytes(NONCE_BYTES)) });
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new asn1js.Null() }),
      hashedMessage: new asn1js.OctetString({ valueHex: digestOf('sha256', data) }),
    }),
    nonce,
    certReq: true,
  });
  let answer: Awaited<ReturnType<Loader['fetch']>>;
  try {
    answer = await loader.fetch(url, {
      body: derOf(request),
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      maxBytes: MAX_TOKEN_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw unavailable('The timestamp server cannot be reached', cause);
  }
  if (answer.status !== 200) throw unavailable(`The timestamp server answered with ${answer.status}`);
  const token = tokenOf(answer.bytes);
  let timestamp: Timestamp | null;
  try {
    timestamp = readTimestamp(token, data, nonce);
  } catch (cause) {
    throw unavailable('The timestamp server gave no token', cause);
  }
  if (timestamp === null) throw unavailable('The timestamp server gave a token of something else');
  return token;
}

/**
 * Parses and verifies a token.
 *
 * @returns null if the token is for other data or is not signed by a timestamp server
 * @throws Error if the bytes are not a token
 */
export function readTimestamp(token: Uint8Array, data: Uint8Array, nonce?: asn1js.Integer): Timestamp | null {
  const signature = readCms(token);
  const { content, contentType, certificate } = signature;
  if (content === null || contentType !== OIDS.timestampInfo) throw new Error('not a timestamp token');
  const info = TSTInfo.fromBER(content);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const digest = digestNamed(hashAlgorithm.algorithmId);
  if (digest === null) return null;
  const isRight =
    digestOf(digest, data).equals(Buffer.from(hashedMessage.getValue())) &&
    (nonce === undefined || info.nonce?.isEqual(nonce) === true) &&
    isFor(certificate, TIMESTAMPING) &&
    signature.namesCertificate &&
    isSignedBy(signature, [content]);
  return isRight ? { time: info.genTime, signature } : null;
}

function tokenOf(bytes: Uint8Array): Buffer {
  let response: TimeStampResp;
  try {
    response = TimeStampResp.fromBER(bytes);
  } catch (cause) {
    throw unavailable('The timestamp server sent no response as of RFC 3161', cause);
  }
  const { status, timeStampToken } = response;
  const granted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (!granted || timeStampToken === undefined)
    throw unavailable('The timestamp server refused the timestamp');
  return derOf(new ContentInfo({ schema: timeStampToken.toSchema() }));
}

function unavailable(what: string, cause?: unknown): PlatenError {
  return new PlatenError('timestamp_unavailable', `${what}.`, { cause });
}

/**
 * Sets the two highest bits to 01: the number is then positive in two's complement, and its encoding is the
 * shortest.
 */
function positive(bytes: Buffer): Buffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
