import type { Operations } from '../shared/http/index.ts';
import { Signing } from '../shared/signing/signing.ts';
import { changeOperations } from './change-operations.ts';
import { composeOperations } from './compose-operations.ts';
import type { PdfConfig } from './config.ts';
import { inspectOperations } from './look-operations.ts';
import { type KeyUse, signatureOperations } from './signatures.ts';
import { stepOperations } from './step-operations.ts';
import { type Group, PdfWork } from './work.ts';

/** The operations of the group: each reads the request, has one change made, and sends the file. */
export function pdfOperations(
  config: PdfConfig,
  signing: KeyUse = new Signing(config.signing),
): Operations<Group> {
  const work = new PdfWork(config);
  return {
    ...signatureOperations(signing),
    ...stepOperations(work, signing),
    ...composeOperations(work),
    ...changeOperations(work),
    ...inspectOperations(work),
  };
}
