/**
 * Returns the variable for an image of this file name: `Company_logo` for `Company logo.png`. A name in use
 * gets a number.
 */
export function variableName(filename: string, taken: readonly string[]): string {
  const dot = filename.lastIndexOf('.');
  const words = (dot > 0 ? filename.slice(0, dot) : filename).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.join('_').slice(0, 100) || 'image';
  const base = /^\d/.test(joined) ? `_${joined}` : joined;
  let name = base;
  for (let number = 2; taken.includes(name); number++) name = `${base}_${number}`;
  return name;
}
