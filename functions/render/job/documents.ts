import { buffer } from 'node:stream/consumers';
import type { BatchWork } from '../../shared/jobs/worker.ts';
import { ByteReader } from '../byte-reader.ts';
import { placeOf } from './parts.ts';

/** The documents of a batch, as the steps after the rendering read them. */

/** A document in the file of a part. */
export interface StoredDocument {
  /** Its number in the file. */
  at: number;
  /** Number of its record. */
  record: number;
  /** Bytes, encrypted. */
  size: number;
  /** The name of its record, or of its entry in a ZIP. */
  name: string | null;
}

/** Documents in the file of a part, in their order; others may be between them. */
export interface StoredDocuments {
  file: string;
  documents: StoredDocument[];
}

/** Yields documents with their content, in order. */
export async function* contentsOf(
  files: readonly StoredDocuments[],
  { job: { tenant, id }, store }: Pick<BatchWork, 'job' | 'store'>,
): AsyncGenerator<StoredDocument & { content: Buffer }> {
  for (const { file, documents } of files) {
    const stream = await store.files.open(tenant, id, file);
    if (stream === null) throw new Error(`the documents of a part are gone: ${file}`);
    try {
      const reader = new ByteReader(stream);
      for (const document of documents) {
        const sealed = await buffer(reader.take(document.size));
        const content = await store.files.unseal(tenant, id, placeOf(file, document.at), sealed);
        yield { ...document, content };
      }
    } finally {
      stream.destroy();
    }
  }
}
