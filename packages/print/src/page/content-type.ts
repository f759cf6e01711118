/** The encoding in a content type. */
export function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

/** Decodes text in the encoding of its content type; an unknown one is read as UTF-8. */
export function decodedText(bytes: Uint8Array, contentType: string): string {
  try {
    return new TextDecoder(charsetOf(contentType)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
