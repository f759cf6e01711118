/** Reads the document of its argument, and prints the code of the error, or what it was read as. */
import { readFileSync } from 'node:fs';
import { olderReader } from '../../bin/older-documents.ts';
import { isPlatenError } from '@platen/core/errors';

const reader = olderReader({ ...process.env, PLATEN_LOG_LEVEL: 'error' });
try {
  const { as } = await reader.read(readFileSync(process.argv[2] ?? ''), 'rtf');
  console.log(as);
} catch (error) {
  if (!isPlatenError(error)) throw error;
  console.log(error.code);
} finally {
  await reader.close();
}
