import { deflateSync } from 'node:zlib';
import { pdfNumber } from '@platen/pdf/content';
import type { Size } from './placement.ts';

/** Returns a reference to an object. */
export function reference(object: number): string {
  return `${object} 0 R`;
}

/** A PDF (1.7) that is being written: its objects in order, and their offsets (PDF 32000-1, 7.5). */
export class PdfFile {
  private readonly chunks: Uint8Array[] = [];
  private readonly offsets: number[] = [0];
  private readonly sharedObjects = new Map<Uint8Array, number>();
  private readonly pages: number[] = [];
  private readonly tree: number;
  private length = 0;

  constructor() {
    // The comment's high bytes mark the file as binary.
    this.append(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
    this.tree = this.reserve();
  }

  /**
   * Adds a page.
   *
   * @param operators operators of its content stream
   * @param resources entries of its resource dictionary
   */
  page({ width, height }: Size, operators: readonly string[], resources: string): void {
    const content = this.stream('/Filter /FlateDecode', [deflateSync(operators.join('\n'))]);
    const page = this.dictionary(
      `/Type /Page /Parent ${reference(this.tree)} /MediaBox [0 0 ${pdfNumber(width)} ${pdfNumber(height)}]` +
        ` /Contents ${reference(content)} /Resources << ${resources} >>`,
    );
    this.pages.push(page);
  }

  /** Reserves a number for an object that is defined later. */
  private reserve(): number {
    return this.offsets.push(0) - 1;
  }

  private define(object: number, value: string): void {
    this.offsets[object] = this.length;
    this.append(Buffer.from(`${object} 0 obj\n${value}\nendobj\n`, 'latin1'));
  }

  dictionary(entries: string): number {
    const object = this.reserve();
    this.define(object, `<< ${entries} >>`);
    return object;
  }

  stream(entries: string, chunks: readonly Uint8Array[]): number {
    const object = this.reserve();
    this.offsets[object] = this.length;
    const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    this.append(Buffer.from(`${object} 0 obj\n<< ${entries} /Length ${length} >>\nstream\n`, 'latin1'));
    for (const chunk of chunks) this.append(chunk);
    this.append(Buffer.from('\nendstream\nendobj\n', 'latin1'));
    return object;
  }

  /** Writes equal bytes only once, such as the colour profile that all pages share, and returns the object's number. */
  shared(bytes: Uint8Array, write: () => number): number {
    const object = this.sharedObjects.get(bytes) ?? write();
    this.sharedObjects.set(bytes, object);
    return object;
  }

  /** Returns the whole file. */
  end(): Buffer {
    const kids = this.pages.map(reference).join(' ');
    this.define(this.tree, `<< /Type /Pages /Count ${this.pages.length} /Kids [${kids}] >>`);
    const catalog = this.dictionary(`/Type /Catalog /Pages ${reference(this.tree)}`);
    const info = this.dictionary('/Producer (Platen)');
    const table = this.offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    const trailer = `<< /Size ${this.offsets.length} /Root ${reference(catalog)} /Info ${reference(info)} >>`;
    const start = this.length;
    this.append(
      Buffer.from(
        `xref\n0 ${this.offsets.length}\n0000000000 65535 f \n${table.join('')}` +
          `trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`,
        'latin1',
      ),
    );
    return Buffer.concat(this.chunks, this.length);
  }

  private append(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.length += bytes.byteLength;
  }
}
