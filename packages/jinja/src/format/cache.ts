/** How many parsed formats are kept: a template has few, and they come back with every row. */
const MAX_ENTRIES = 500;
/** Longer formats are parsed each time. */
const MAX_LENGTH = 200;

/** Makes a function of a text remember its results. The results must not be changed by anybody. */
export function remembering<Result>(parse: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const hit = known.get(text);
    if (hit !== undefined) return hit;
    const result = parse(text);
    if (text.length > MAX_LENGTH) return result;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, result);
    return result;
  };
}
