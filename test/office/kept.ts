import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/** Keeps what tests fill, with its template, for `npm run verify -- schemas`. */

const FOLDER = process.env['PLATEN_KEPT_DOCUMENTS'];
const VALIDATED: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx']);

export function keep(format: string, template: Uint8Array, result: Uint8Array): void {
  if (FOLDER === undefined || !VALIDATED.has(format)) return;
  const name = createHash('sha256').update(template).update(result).digest('hex').slice(0, 24);
  const { testPath = '', currentTestName = '' } = expect.getState();
  writeFileSync(path.join(FOLDER, `${name}.template`), template);
  writeFileSync(path.join(FOLDER, `${name}.result`), result);
  writeFileSync(path.join(FOLDER, `${name}.test`), `${path.basename(testPath)}: ${currentTestName}`);
}
