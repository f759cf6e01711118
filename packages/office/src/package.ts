import { PlatenError } from '@platen/core/errors';
import { OFFICE_ZIP_LIMITS, readZip, ZipFault } from '@platen/core/zip';
import { officeFile } from '@platen/core/zip-file';
import { MANIFEST } from './format.ts';
import { ContentTypes } from './ooxml/content-types.ts';
import { makeTransitional } from './ooxml/strict.ts';
import { Relationships } from './ooxml/relationships.ts';
import { make } from './xml/build.ts';
import { parseXml, XmlFault, type XmlDocument } from './xml/parse.ts';
import { serializeXml } from './xml/serialize.ts';
import { type Element, remove } from './xml/tree.ts';

/** Maximum bytes of one part: pictures are larger than texts. */
const MAX_PART = 96 * 1024 * 1024;
/** Maximum unpacked bytes of a file that is passed on without compression. */
const MAX_STORED = 256 * 1024;
/** Parts that are already compressed: packing them again takes time and saves nothing. */
const PACKED = /\.(png|jpe?g|gif|webp|xlsx|docx|pptx|zip|mp4|m4a|mp3|woff2?)$/i;

/** An unpacked office file: its parts and their metadata, which `save` writes back. */
export class OfficePackage {
  private readonly entries: Map<string, Buffer>;
  private readonly relations = new Map<string, Relationships>();
  /** The lowest number that may be unused, by pattern of a path. */
  private readonly numbers = new Map<string, number>();
  private types: ContentTypes | null = null;
  private manifest: XmlDocument | null = null;

  private constructor(entries: Map<string, Buffer>) {
    this.entries = entries;
  }

  /**
   * @param totalBytes maximum unpacked bytes of all parts
   * @throws PlatenError `office_file_damaged`, `office_file_encrypted`
   */
  static async open(
    bytes: Uint8Array,
    totalBytes: number = OFFICE_ZIP_LIMITS.totalBytes,
  ): Promise<OfficePackage> {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const limits = { ...OFFICE_ZIP_LIMITS, totalBytes, wantedBytes: MAX_PART };
    try {
      const { wanted } = await readZip(file, () => true, limits);
      const parts = new Map(wanted);
      makeTransitional(parts);
      return new OfficePackage(parts);
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      const code = error.kind === 'encrypted' ? 'office_file_encrypted' : 'office_file_damaged';
      throw new PlatenError(code, `The office file ${error.message}.`, { cause: error });
    }
  }

  /** Returns a package of parts by path. */
  static of(parts: ReadonlyMap<string, Buffer>): OfficePackage {
    return new OfficePackage(new Map(parts));
  }

  /** Returns all parts by path, with every change. */
  parts(): ReadonlyMap<string, Buffer> {
    for (const [part, relationships] of this.relations) {
      if (relationships.changed) this.setXml(relationshipsPath(part), relationships.document);
    }
    if (this.types?.changed) this.setXml('[Content_Types].xml', this.types.document);
    if (this.manifest !== null) this.setXml(MANIFEST, this.manifest);
    return this.entries;
  }

  unpackedBytes(): number {
    let sum = 0;
    for (const bytes of this.entries.values()) sum += bytes.length;
    return sum;
  }

  /** Returns another package with the same parts. */
  copy(): OfficePackage {
    return new OfficePackage(new Map(this.entries));
  }

  has(path: string): boolean {
    return this.entries.has(path);
  }

  paths(): string[] {
    return [...this.entries.keys()];
  }

  bytes(path: string): Buffer | undefined {
    return this.entries.get(path);
  }

  set(path: string, bytes: Uint8Array): void {
    this.entries.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  delete(path: string): void {
    this.entries.delete(path);
    this.entries.delete(relationshipsPath(path));
    this.relations.delete(path);
    if (this.entries.has('[Content_Types].xml')) this.contentTypes().remove(path);
    if (this.entries.has(MANIFEST)) this.unlist(path);
  }

  /** @throws PlatenError `office_file_damaged` naming the part */
  xml(path: string): XmlDocument {
    const bytes = this.entries.get(path);
    if (bytes === undefined)
      throw new PlatenError('office_file_damaged', `The office file lacks a part: ${path}.`);
    try {
      return parseXml(bytes);
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      const message = `is not well-formed XML: ${error.message}`;
      throw new PlatenError(
        'office_file_damaged',
        `The part ${path} of the office file ${message} (line ${error.line}).`,
        {
          faults: [{ field: 'template', file: path, line: error.line, message }],
          cause: error,
        },
      );
    }
  }

  setXml(path: string, document: XmlDocument): void {
    this.entries.set(path, serializeXml(document));
  }

  /** Returns an unused path: `word/media/image` and `png` give `word/media/image3.png`. */
  freePath(stem: string, ending: string): string {
    const pattern = `${stem}#.${ending}`;
    let number = this.numbers.get(pattern) ?? 1;
    while (this.entries.has(`${stem}${number}.${ending}`)) number += 1;
    this.numbers.set(pattern, number);
    return `${stem}${number}.${ending}`;
  }

  /** Returns the relationships of a part (OOXML). Changes are saved. */
  relationships(part: string): Relationships {
    let known = this.relations.get(part);
    if (known === undefined) {
      const path = relationshipsPath(part);
      known = new Relationships(this.entries.has(path) ? this.xml(path) : null, part);
      this.relations.set(part, known);
    }
    return known;
  }

  /** Returns the paths of the parts that have relationships (OOXML). */
  partsWithRelationships(): string[] {
    return this.paths().filter(
      (path) => this.relations.has(path) || this.entries.has(relationshipsPath(path)),
    );
  }

  contentTypes(): ContentTypes {
    this.types ??= new ContentTypes(this.xml('[Content_Types].xml'));
    return this.types;
  }

  private listing(): Element {
    this.manifest ??= this.xml(MANIFEST);
    return this.manifest.root;
  }

  private unlist(path: string): void {
    for (const entry of this.listing().elements('manifest:file-entry'))
      if (entry.get('manifest:full-path') === path) remove(entry);
  }

  /** Returns the type of a part or folder in the manifest (OpenDocument). */
  listedType(path: string): string | undefined {
    const entries = this.listing().elements('manifest:file-entry');
    return entries.find((entry) => entry.get('manifest:full-path') === path)?.get('manifest:media-type');
  }

  /** Adds a part to the manifest (OpenDocument). Changes are saved. */
  enlist(path: string, mediaType: string): void {
    const root = this.listing();
    const attributes = { 'manifest:full-path': path, 'manifest:media-type': mediaType };
    root.append(make(root, 'manifest:file-entry', attributes));
  }

  /** Returns a part's content type (OOXML); empty when it has none. */
  typeOf(path: string): string {
    if (!this.entries.has('[Content_Types].xml')) return '';
    const types = this.contentTypes();
    return types.typeOf(path) ?? types.defaultOf(path) ?? '';
  }

  /**
   * Returns the file.
   *
   * @param isPassedOn whether another function reads it once: a small one is then not compressed, which takes both
   *   sides more time than the bytes
   */
  save(isPassedOn = false): Uint8Array {
    const parts = this.parts();
    const stores = isPassedOn && this.unpackedBytes() <= MAX_STORED;
    return officeFile(parts, (path) => !stores && !PACKED.test(path));
  }
}

/** `word/document.xml` → `word/_rels/document.xml.rels`; the package itself (an empty path) has `_rels/.rels`. */
export function relationshipsPath(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}
