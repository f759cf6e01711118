import { createHash } from 'node:crypto';
import { createWriteStream, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The oldest time that a ZIP file can state, so that the same files give the same bytes. */
const TIME = new Date('1980-01-01T00:00:00Z');

/** Packs a folder. Links are followed, as Lambda has none. @returns the SHA-256 of the ZIP file in hex */
export async function zipFolder(folder: string, target: string): Promise<string> {
  const zip = new ZipFile();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = path.join(folder, name);
    const stats = statSync(file);
    if (stats.isFile()) zip.addFile(file, name, { mtime: TIME, mode: stats.mode, forceDosTimestamp: true });
  }
  zip.end();
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(zip.outputStream, hashing, createWriteStream(target));
  return hash.digest('hex');
}
