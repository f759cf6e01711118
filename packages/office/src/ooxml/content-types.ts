import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { remove } from '../xml/tree.ts';

/** `[Content_Types].xml` (ECMA-376 part 2, 10.1.2). */
export class ContentTypes {
  readonly document: XmlDocument;
  changed = false;
  /** Types by path, since the type of every part is needed. */
  private readonly types: Map<string, string>;
  /** Types by file extension in lower case, of parts without an own type. */
  private readonly defaults: ReadonlyMap<string, string>;

  constructor(document: XmlDocument) {
    this.document = document;
    this.types = new Map(
      document.root
        .elements('ct:Override')
        .map((element) => [
          (element.get('PartName') ?? '').replace(/^\//, ''),
          element.get('ContentType') ?? '',
        ]),
    );
    this.defaults = new Map(
      document.root
        .elements('ct:Default')
        .map((element) => [element.get('Extension')?.toLowerCase() ?? '', element.get('ContentType') ?? '']),
    );
  }

  /** Sets the type of all parts with a file extension. */
  addDefault(ending: string, type: string): void {
    const { root } = this.document;
    const known = root
      .elements('ct:Default')
      .some((element) => element.get('Extension')?.toLowerCase() === ending.toLowerCase());
    if (known) return;
    // All defaults precede all overrides.
    root.insertBefore(
      root.children[0] ?? null,
      make(root, 'ct:Default', { Extension: ending, ContentType: type }),
    );
    this.changed = true;
  }

  typeOf(path: string): string | undefined {
    return this.types.get(path);
  }

  /** Returns the type of a part that has no own type. */
  defaultOf(path: string): string | undefined {
    return this.defaults.get(/\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? '');
  }

  set(path: string, type: string): void {
    if (this.types.has(path)) return;
    this.types.set(path, type);
    const { root } = this.document;
    root.append(make(root, 'ct:Override', { PartName: `/${path}`, ContentType: type }));
    this.changed = true;
  }

  remove(path: string): void {
    if (!this.types.delete(path)) return;
    for (const element of this.document.root.elements('ct:Override')) {
      if (element.get('PartName') !== `/${path}`) continue;
      remove(element);
      this.changed = true;
    }
  }
}
