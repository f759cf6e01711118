import { randomBytes } from 'node:crypto';
import { PlatenError } from '@platen/core/errors';
import { prepared } from './passwords.ts';

/** The protection of a PDF. The contract imports this file too, so it does not load the PDF code. */

/** PDF 2.0 (ISO 32000-2, 7.6.4.3.3) uses the first 127 bytes; a longer password would be truncated silently. */
export const MAX_PASSWORD_BYTES = 127;

/** The permissions of a reader with the user password. By default: view and print. */
export interface Permissions {
  /** Default true; all others are false by default. */
  print?: boolean | undefined;
  copy?: boolean | undefined;
  modify?: boolean | undefined;
  annotate?: boolean | undefined;
  fillForms?: boolean | undefined;
  assemble?: boolean | undefined;
}

/** At least one of the passwords. */
export interface EncryptOptions {
  /** Opens the document. Default: none, so that anybody can open it. */
  password?: string | undefined;
  /** Opens the document with all permissions. Default: a random one that is not stored. */
  ownerPassword?: string | undefined;
  permissions?: Permissions | undefined;
}

/**
 * Returns the arguments with which qpdf encrypts its output.
 * @throws PlatenError `invalid_field` for a password that is empty or too long.
 */
export function encryptArguments({ permissions = {}, ...given }: EncryptOptions): string[] {
  const password = given.password === undefined ? undefined : prepared(given.password);
  const ownerPassword = given.ownerPassword === undefined ? undefined : prepared(given.ownerPassword);
  for (const one of [password, ownerPassword]) if (one !== undefined) checkPassword(one);
  if (password === undefined && ownerPassword === undefined) throw new Error('encryption without a password');
  const flag = (value: boolean | undefined): string => (value === true ? 'y' : 'n');
  const modify = permissions.modify === true;
  return [
    '--encrypt',
    `--user-password=${password ?? ''}`,
    `--owner-password=${ownerPassword ?? randomBytes(32).toString('hex')}`,
    '--bits=256',
    `--print=${permissions.print === false ? 'none' : 'full'}`,
    `--extract=${flag(permissions.copy)}`,
    `--modify-other=${flag(modify)}`,
    `--annotate=${flag(modify || permissions.annotate)}`,
    `--form=${flag(modify || permissions.fillForms)}`,
    `--assemble=${flag(modify || permissions.assemble)}`,
    '--',
  ];
}

/** @throws PlatenError `invalid_field` for a password that is empty or too long */
function checkPassword(password: string): void {
  const bytes = Buffer.byteLength(password);
  if (bytes > 0 && bytes <= MAX_PASSWORD_BYTES) return;
  const message = `1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8 are allowed, not ${bytes}`;
  throw new PlatenError('invalid_field', `\`password\`: ${message}.`, {
    faults: [{ field: 'password', message }],
  });
}
