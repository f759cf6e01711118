/** More fields than any valid request has; the limit keeps a body of empty ones cheap. */
export const MAX_PARTS = 5_000;

/** One named value of a request body of any content type. */
export interface Part {
  name: string;
  /** null for text; an empty string for a file without a name (`filename=""`, I-6). */
  filename: string | null;
  contentType: string | null;
  bytes: Buffer;
}
