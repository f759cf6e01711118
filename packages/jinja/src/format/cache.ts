/** Maximum parsed formats in the cache: a template has few and uses them for every row. */
const MAX_ENTRIES = 500;
/** Longer formats are parsed each time. */
const MAX_LENGTH = 200;

/** Returns a function of a text that caches its results. Callers must not change the results. */
export function cached<Result>(parse: (text: string) => Result): (text: string) => Result {
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
