/** Returns a text with its percent signs decoded; the text itself if they are none of UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
