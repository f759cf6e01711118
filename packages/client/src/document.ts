import { saveFile } from '#platform';

/** A document as the service answers with it: to be read once. */
export class PlatenDocument {
  /** As the service names it, such as `Invoice 7.pdf`. */
  readonly name: string;
  /** Content type. */
  readonly type: string;
  /** What the service ignored or noticed, in whole sentences: its `Warning` headers. */
  readonly warnings: readonly string[];
  readonly response: Response;

  constructor(response: Response) {
    this.response = response;
    this.name = nameOf(response.headers);
    this.type = response.headers.get('content-type') ?? 'application/octet-stream';
    this.warnings = warningsOf(response.headers);
  }

  /** The content as it comes in. */
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
   * Writes it to a file, which is there when it is complete and not before. On Node, Deno and Bun.
   *
   * @param path when absent, the document's name in the current folder
   * @returns the path
   * @throws TypeError in a browser
   */
  async toFile(path: string = this.name): Promise<string> {
    return await saveFile(this.stream(), path);
  }
}

/** The name in Content-Disposition (RFC 6266), without any path. */
export function nameOf(headers: Headers): string {
  const header = headers.get('content-disposition') ?? '';
  const [, extended] = /filename\*=UTF-8''([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  const name = decoded(extended) ?? quoted?.replace(/\\(.)/g, '$1') ?? plain;
  const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  return base === '' || base.startsWith('.') ? 'document' : base;
}

/** Undefined for what is no UTF-8, as for what is not there: the plain name has to do then. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The texts of `Warning: 299 - "…"` (RFC 7234, 5.5). */
export function warningsOf(headers: Headers): string[] {
  const texts = (headers.get('warning') ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(texts, ([, text = '']) => text.replace(/\\(.)/g, '$1'));
}
