/** A file that a document may load. */
export interface BundleFile {
  /** As in an HTTP header, e.g. `image/png`. */
  contentType: string;
  bytes: Uint8Array;
}

/** An html document and all its resources, by URL. */
export interface Bundle {
  html: string;
  files: ReadonlyMap<string, BundleFile>;
}

/**
 * Returns whether the html of a document, with its style elements and attributes, or one of its style sheets fits.
 */
export function someStyles({ html, files }: Bundle, fits: (text: string) => boolean): boolean {
  return fits(html) || sheetTexts(files).some(fits);
}

/** Returns the texts of the style sheets of a document. */
export function sheetTexts(files: Bundle['files']): string[] {
  const sheets = [...files.values()].filter(({ contentType }) => /^text\/css\b/i.test(contentType));
  return sheets.map(({ bytes }) => Buffer.from(bytes).toString());
}

/** The header of the data: its own length as four bytes, then this as JSON, then all contents in this order. */
interface Contents {
  html: number;
  files: { address: string; contentType: string; length: number }[];
}

const LENGTH = 4;

/** Serializes a bundle to a single byte string, which is transferred like any other document. */
export function packBundle({ html, files }: Bundle): Buffer {
  const text = Buffer.from(html);
  const contents: Contents = {
    html: text.length,
    files: Array.from(files, ([address, { contentType, bytes }]) => ({
      address,
      contentType,
      length: bytes.length,
    })),
  };
  const head = Buffer.from(JSON.stringify(contents));
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, text, ...Array.from(files.values(), ({ bytes }) => bytes)]);
}

/** @throws Error for data that is not a bundle */
export function unpackBundle(packed: Buffer): Bundle {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > packed.length) throw new Error('The bundle is cut off.');
    at += length;
    return packed.subarray(at - length, at);
  };
  const contents = JSON.parse(take(take(LENGTH).readUInt32LE()).toString()) as Contents;
  const html = take(contents.html).toString();
  const files = contents.files.map(
    ({ address, contentType, length }) => [address, { contentType, bytes: take(length) }] as const,
  );
  return { html, files: new Map(files) };
}
