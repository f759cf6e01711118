import { PlatenError } from '@platen/core/errors';
import { sameFileKey, nameFault, pathFault, quoted } from '@platen/core/file-name';

/** Names under which files are stored. Clients write them to disks, so they follow the rule of `nameFault`. */

/** @param field that gives the name @throws PlatenError `invalid_field` */
export function checkName(name: string, field: string, file?: string): void {
  const fault = nameFault(name);
  if (fault !== null) refuse(name, fault, field, file);
}

/** Validates a path as `checkName`. @param file the name in errors */
export function checkPath(path: string, field: string, file?: string): void {
  const fault = pathFault(path);
  if (fault !== null) refuse(path, fault, field, file);
}

/**
 * Refuses a new name that is the same file as another one on some systems, where one would replace the other.
 *
 * @param known the names that exist already; one of them may be changed whatever the others are
 * @throws PlatenError `invalid_field`
 */
export function checkDistinct(name: string, known: Iterable<string>, field: string): void {
  const key = sameFileKey(name);
  let other: string | undefined;
  for (const one of known) {
    if (one === name) return;
    if (sameFileKey(one) === key) other = one;
  }
  if (other === undefined) return;
  refuse(name, `is the same file as ${quoted(other)} on macOS and Windows`, field);
}

function refuse(name: string, fault: string, field: string, file?: string): never {
  const message = `the name ${quoted(name)} must not be used for a file: ${fault}`;
  throw new PlatenError('invalid_field', `\`${field}\`: ${message}.`, {
    faults: [{ field, message, ...(file === undefined ? {} : { file }) }],
  });
}
