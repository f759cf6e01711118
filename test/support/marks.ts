import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListBucketsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { readState } from '../../packages/aws-local/src/state.ts';
import { storageClients } from '../../packages/aws-local/src/storage/index.ts';

/** Looks for unique texts in everything that a service keeps, whatever they are encoded in. */

/** How deep compressed data is looked for in compressed data, as in a PDF in a ZIP. */
const MAX_DEPTH = 3;
/** A stream that is cut off gives what there is. */
const PARTIAL = { finishFlush: constants.Z_SYNC_FLUSH };

/** Returns the encodings in which bytes may have a text. */
function encodingsOf(text: string): Buffer[] {
  const plain = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  return [
    plain,
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(plain.toString('hex')),
    Buffer.from(plain.toString('hex').toUpperCase()),
    // Its position among the other bytes decides which of three texts it becomes; their ends depend on the neighbours.
    ...[0, 1, 2].map((before) =>
      Buffer.from(
        Buffer.concat([Buffer.alloc(before), plain])
          .toString('base64')
          .slice(before === 0 ? 0 : 4, -4),
      ),
    ),
  ];
}

/** Yields what is compressed in bytes: by zlib (as in PDFs), gzip, and in ZIP files. */
function* inflatedIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length - 2; at += 1) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    try {
      if (first === 0x78 && (first * 256 + second) % 31 === 0) yield inflateSync(bytes.subarray(at), PARTIAL);
      else if (first === 0x1f && second === 0x8b && bytes[at + 2] === 8)
        yield gunzipSync(bytes.subarray(at), PARTIAL);
      else if (first === 0x50 && second === 0x4b && bytes.readUInt16LE(at + 2) === 0x0403) {
        const head = 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
        if (bytes.readUInt16LE(at + 8) === 8) yield inflateRawSync(bytes.subarray(at + head), PARTIAL);
      }
    } catch {
      // The bytes only look like the beginning of compressed ones.
    }
  }
}

/** How each mark begins: what has this nowhere has no mark. */
const BEGINNING = 'platen-mark-';
const BEGINNINGS = encodingsOf(BEGINNING);
const encodings = new Map<string, Buffer[]>();

/** Returns a new mark. @param of says in messages where it was sent */
export function newMark(of: string): string {
  const text = `${BEGINNING}${of}-${randomBytes(8).toString('hex')}`;
  encodings.set(text, encodingsOf(text));
  return text;
}

/** Returns the marks that are in the bytes. */
export function marksIn(bytes: Buffer, depth = 0): string[] {
  const has = (encoded: Buffer): boolean => bytes.includes(encoded);
  const found = new Set<string>();
  if (BEGINNINGS.some(has)) {
    for (const [text, encoded] of encodings) if (encoded.some(has)) found.add(text);
  }
  if (depth < MAX_DEPTH) {
    for (const inflated of inflatedIn(bytes)) {
      for (const text of marksIn(inflated, depth + 1)) found.add(text);
    }
  }
  return [...found];
}

/** Yields each file of a folder. @param left beginnings of places that are left out */
export function* filesOf(
  folder: string,
  left: readonly string[] = [],
): Generator<[place: string, bytes: Buffer]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const place = path.slice(folder.length + 1);
    if (entry.isFile() && !left.some((beginning) => place.startsWith(beginning)))
      yield [place, readFileSync(path)];
  }
}

/** Yields what is in the tables and buckets of a running service, as their APIs give it. */
export async function* storedBy(dataDir: string): AsyncGenerator<[place: string, bytes: Buffer]> {
  const state = await readState(dataDir);
  if (state === null) throw new Error('there is no service');
  const { dynamodb, s3 } = storageClients(state.storage);
  try {
    for (const TableName of (await dynamodb.send(new ListTablesCommand({}))).TableNames ?? []) {
      for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
        for (const item of Items) {
          const value = unmarshall(item);
          yield [`${String(value['pk'])} ${String(value['sk'])}`, Buffer.from(JSON.stringify(value))];
        }
      }
    }
    for (const { Name: Bucket = '' } of (await s3.send(new ListBucketsCommand({}))).Buckets ?? []) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
        for (const { Key = '' } of Contents) {
          const { Body, Metadata, ContentDisposition } = await s3.send(new GetObjectCommand({ Bucket, Key }));
          const content = (await Body?.transformToByteArray()) ?? [];
          const head = Buffer.from(JSON.stringify([Metadata, ContentDisposition]));
          yield [Key, Buffer.concat([head, Buffer.from(content)])];
        }
      }
    }
  } finally {
    dynamodb.destroy();
    s3.destroy();
  }
}
