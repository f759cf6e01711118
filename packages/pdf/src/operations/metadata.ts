import { PlatenError } from '@platen/core/errors';
import type { PdfInput } from '../engine.ts';
import type { PdfNote } from '../notes.ts';
import { runTask } from '../thread.ts';
import type { ChangeOptions } from '../unsigned.ts';
import type { MetadataTask } from './metadata-task.ts';
import { OPERATIONS } from './tasks.ts';

const KEYS = ['Title', 'Author', 'Subject', 'Producer', 'Creator'];

/**
 * Sets properties such as title and author in the Info dictionary and in XMP (I-31).
 *
 * @param metadata by key, with or without a leading slash; null or an empty text removes a property
 * @returns the notes about the result
 * @throws PlatenError `invalid_field` for another key; `pdf_signed`; those of the engine.
 */
export async function editPdfMetadata(
  input: PdfInput,
  output: string,
  metadata: Readonly<Record<string, string | null>>,
  { breakSignatures, ...options }: ChangeOptions = {},
): Promise<PdfNote[]> {
  const values = metadataValues(metadata);
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const task: MetadataTask = { input, output, values, now, breakSignatures };
  return (await runTask(OPERATIONS, 'setMetadata', task, options)) as PdfNote[];
}

/**
 * The new properties, by key without a slash.
 *
 * @throws PlatenError `invalid_field` for an unknown key
 */
export function metadataValues(
  metadata: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  const values: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(metadata)) {
    const key = name.replace(/^\//, '');
    if (!KEYS.includes(key)) {
      const message = `\`${name.slice(0, 100)}\` is not one of the keys ${KEYS.join(', ')}`;
      throw new PlatenError('invalid_field', `\`metadata\`: ${message}.`, {
        faults: [{ field: 'metadata', message, value: name.slice(0, 100), allowed: KEYS }],
      });
    }
    values[key] = value === '' ? null : value;
  }
  return values;
}
