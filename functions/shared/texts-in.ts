/** Returns every text in a value, at any depth. */
export function textsIn(data: unknown): Set<string> {
  const texts = new Set<string>();
  const left = [data];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) left.push(one);
  }
  return texts;
}
