import { RequestError } from './request-error.ts';

/** What a request brings: its token and its form. */

/**
 * Returns the token of a request: the plain header, the text after `Bearer`, or the password of basic
 * authentication with any user name.
 *
 * @throws RequestError if a token is required and missing
 */
export function tokenOf(request: Request, own: string | null): string {
  const header = request.headers.get('authorization');
  if (header === null) {
    if (own !== null && mayGoWithout(request)) return own;
    throw new RequestError(
      401,
      'A token of Platen is needed: as it is, as Bearer, or as the password of basic authentication.',
    );
  }
  const [, basic] = /^basic ([\w+/=-]+)$/i.exec(header) ?? [];
  if (basic === undefined) return header.replace(/^bearer /i, '');
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
}

/**
 * Returns whether a request without a token may use the operator's token, if one is configured. Requests that
 * a browser sends for another site's page may not, nor may requests with a host name other than this
 * machine's.
 */
function mayGoWithout({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  const isOfBrowser = headers.has('origin') || (site !== null && site !== 'none' && site !== 'same-origin');
  return !isOfBrowser && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
}

/**
 * Reads the form and counts its bytes, because a chunked body has no declared length.
 *
 * @throws RequestError
 */
export async function formData(request: Request, maxBytes: number): Promise<FormData> {
  const tooLarge = new RequestError(413, 'Request Entity Too Large');
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge;
  let counted = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      counted += chunk.byteLength;
      if (counted > maxBytes) controller.error(tooLarge);
      else controller.enqueue(chunk);
    },
  });
  // The source is not cancelled, because its connection is still needed for the response.
  const body = request.body?.pipeThrough(counting, { preventCancel: true }) ?? null;
  const type = request.headers.get('content-type') ?? '';
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    if (counted > maxBytes) throw tooLarge;
    throw new RequestError(415, 'Unsupported Media Type: send multipart/form-data');
  }
}

/**
 * Returns the name for the resulting file, which the caller may give with an ending; of a path, its last segment.
 * undefined if the caller gives none.
 */
export function outputNameOf({ headers }: Request): string | undefined {
  const name = headers.get('gotenberg-output-filename')?.split(/[\\/]/).at(-1)?.replaceAll('"', '_').trim();
  return name === '' ? undefined : name;
}
