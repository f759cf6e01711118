import { listed } from '@platen/core/listed';

/** Most targets that a warning names. */
const MAX_NAMED = 8;

/** Returns a sentence about references whose targets are missing, such as bookmarks. */
export function lostWarning(names: Iterable<string>): string {
  return `References to ${listed([...names], MAX_NAMED)} lead nowhere: shown is the text saved in them.`;
}
