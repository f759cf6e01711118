import { MAX_WARNINGS } from '@platen/contract/reading';

/** RFC 9111, section 5.5, in its former version: code 299 is "miscellaneous persistent warning". Clients know it. */
export function warningHeader(warnings: readonly string[]): string {
  const shown = warnings.slice(0, MAX_WARNINGS);
  if (warnings.length > shown.length) shown.push(`and ${warnings.length - shown.length} more`);
  return shown
    .map(
      (text) =>
        `299 platen "${text
          .slice(0, 300)
          .replace(/[^\x20-\x7e]/g, '?')
          .replace(/["\\]/g, "'")}"`,
    )
    .join(', ');
}

/** Returns a function that adds each sentence only once. */
export function warnOnce(warnings: string[]): (text: string) => void {
  return (text) => {
    if (!warnings.includes(text)) warnings.push(text);
  };
}
