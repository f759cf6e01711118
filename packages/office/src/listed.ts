/** Most names that a warning names. */
const MAX_NAMED = 8;

/** Returns names for a warning. @param what says what those are that are only counted */
export function listed(names: ReadonlySet<string>, what = ''): string {
  const more = names.size - MAX_NAMED;
  return [...names].slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more${what}` : '');
}
