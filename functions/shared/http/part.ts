/** More fields than any right request has; a bound so that a body of empty ones stays cheap. */
export const MAX_PARTS = 5_000;

/** One named value of a request body, whatever the body's content type was. */
export interface Part {
  name: string;
  /** Null: not a file. An empty string: a file that was given no name (`filename=""`, I-6). */
  filename: string | null;
  contentType: string | null;
  bytes: Buffer;
}
