/** Names for a sentence, of which the first `most` are written and the others counted, as `what` if it is given. */
export function listed(names: Iterable<string>, most: number, what = ''): string {
  const all = [...names];
  const more = all.length - most;
  return all.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more${what}` : '');
}
