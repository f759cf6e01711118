import type { Upload } from '@platen/client';

/** Uploads files that are too large for a request to the storage; the request refers to them. */

export type Form = Readonly<Record<string, string | Blob | undefined>>;

/** Most bytes of files in a request (docs/limits.md). */
const CARRIED = 4_000_000;
/** Remaining milliseconds below which a reference is not used again. */
const MARGIN_MS = 60_000;

interface Kept {
  reference: string;
  until: number;
}

/** References of uploaded files. Images of a template are sent with each preview, so later ones reuse them. */
const uploaded = new WeakMap<Blob, Kept>();

/**
 * Returns the fields of a request; the largest files become references if the request is too large. If the
 * storage cannot be reached, as with one on another machine, the files stay in the request: the service there
 * accepts them, or answers that they are too large.
 *
 * @param ask requests the upload form of a file
 * @throws PlatenError of `ask`; DOMException `AbortError`
 */
export async function withUploads(
  form: Form,
  ask: (fields: Form) => Promise<Upload>,
  signal: AbortSignal | undefined,
): Promise<Form> {
  const files = Object.entries(form).filter((field): field is [string, Blob] => field[1] instanceof Blob);
  let total = files.reduce((sum, [, { size }]) => sum + size, 0);
  const fields: Record<string, string | Blob | undefined> = { ...form };
  for (const [name, file] of files.toSorted(([, a], [, b]) => b.size - a.size)) {
    if (total <= CARRIED) break;
    const kept = uploaded.get(file);
    const usable =
      kept !== undefined && kept.until > Date.now() + MARGIN_MS ? kept : await sent(file, ask, signal);
    if (usable === null) break;
    uploaded.set(file, usable);
    fields[name] = usable.reference;
    total -= file.size;
  }
  return fields;
}

async function sent(
  file: Blob,
  ask: (fields: Form) => Promise<Upload>,
  signal: AbortSignal | undefined,
): Promise<Kept | null> {
  const name = file instanceof File ? file.name : undefined;
  const upload = await ask({ name, size: String(file.size), content_type: file.type || undefined });
  const form = new FormData();
  for (const [field, value] of Object.entries(upload.fields)) form.append(field, value);
  form.append('file', file);
  try {
    // The storage does not let pages of another origin read its responses. The request shows whether the file exists.
    await fetch(upload.url, {
      method: 'POST',
      body: form,
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return null;
  }
  return { reference: upload.reference, until: Date.parse(upload.usable_until) };
}
