import { saveFile } from '#platform';
import { nameFault } from './name-fault.ts';

/** A document in a response of the service. Its content can be read once. */
export class PlatenDocument {
  /** The file name that the service states, such as `Invoice 7.pdf`. */
  readonly name: string;
  /** Content type. */
  readonly type: string;
  /** The service's warnings about ignored or notable input, in whole sentences: its `Warning` headers. */
  readonly warnings: readonly string[];
  readonly response: Response;

  constructor(response: Response) {
    this.response = response;
    this.name = nameOf(response.headers);
    this.type = response.headers.get('content-type') ?? 'application/octet-stream';
    this.warnings = warningsOf(response.headers);
  }

  /** Returns the content as a stream. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.response.body ?? new Blob([]).stream();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.response.arrayBuffer());
  }

  async blob(): Promise<Blob> {
    return await this.response.blob();
  }

  async text(): Promise<string> {
    return await this.response.text();
  }

  /**
   * Writes the document to a file, which appears only when it is complete. Available on Node, Deno and Bun.
   *
   * @param path when absent, the document's name in the current folder
   * @returns the path
   * @throws TypeError in a browser
   */
  async toFile(path: string = this.name): Promise<string> {
    return await saveFile(this.stream(), path);
  }
}

/**
 * Returns the file name in Content-Disposition (RFC 6266), without any path. A name that must not be used for a
 * file becomes `document`, with its extension.
 */
export function nameOf(headers: Headers): string {
  const header = headers.get('content-disposition') ?? '';
  const [, extended] = /filename\*=UTF-8''([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  const name = decoded(extended) ?? quoted?.replace(/\\(.)/g, '$1') ?? plain;
  const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  if (nameFault(base) === null) return base;
  return `document${/[^.](\.\w{1,16})$/.exec(base)?.[1] ?? ''}`;
}

/**
 * Decodes a percent-encoded name; returns undefined when it is absent or not UTF-8, so that the plain name is
 * used.
 */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the texts of `Warning: 299 - "…"` (RFC 7234, 5.5). */
export function warningsOf(headers: Headers): string[] {
  const texts = (headers.get('warning') ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(texts, ([, text = '']) => text.replace(/\\(.)/g, '$1'));
}
