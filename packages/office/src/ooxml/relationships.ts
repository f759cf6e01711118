import { make } from '../xml/build.ts';
import { parseXml, type XmlDocument } from '../xml/parse.ts';
import { type Element, remove } from '../xml/tree.ts';

const EMPTY =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>';
export const OFFICE_RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

export interface Relationship {
  id: string;
  /** The last segment of the type's URI: `image`, `hyperlink`. */
  type: string;
  /** Target as written. */
  target: string;
  external: boolean;
  /** Path of the target part; null for an external one. */
  path: string | null;
}

/** A part's relationships (ECMA-376 part 2, 9.3). */
export class Relationships {
  readonly document: XmlDocument;
  changed = false;
  private readonly part: string;
  private readonly elements = new Map<string, Element>();
  /** The ids by type, target and mode. */
  private readonly ids = new Map<string, string>();

  constructor(document: XmlDocument | null, part: string) {
    this.document = document ?? parseXml(Buffer.from(EMPTY));
    this.part = part;
    for (const element of this.document.root.elements('rel:Relationship')) {
      const id = element.get('Id') ?? '';
      // Of several with one id, which the format forbids, the first one is used.
      if (this.elements.has(id)) continue;
      this.elements.set(id, element);
      const key = keyOf(this.read(id, element));
      if (!this.ids.has(key)) this.ids.set(key, id);
    }
  }

  list(): Relationship[] {
    return Array.from(this.elements, ([id, element]) => this.read(id, element));
  }

  find(id: string): Relationship | undefined {
    const element = this.elements.get(id);
    return element && this.read(id, element);
  }

  /** @returns the id; that of an equal relationship, if there is one */
  add(type: string, target: string, external = false): string {
    const key = keyOf({ type, target, external });
    const same = this.ids.get(key);
    if (same !== undefined) return same;
    let number = this.elements.size + 1;
    while (this.elements.has(`rId${number}`)) number += 1;
    const id = `rId${number}`;
    const { root } = this.document;
    const element = make(root, 'rel:Relationship', {
      Id: id,
      Type: type.includes(':') ? type : OFFICE_RELATIONSHIP + type,
      Target: target,
      TargetMode: external ? 'External' : undefined,
    });
    root.append(element);
    this.elements.set(id, element);
    this.ids.set(key, id);
    this.changed = true;
    return id;
  }

  retarget(id: string, target: string): void {
    const found = this.find(id);
    if (found === undefined) return;
    this.forget(found);
    this.elements.get(id)?.set('Target', target);
    this.ids.set(keyOf({ ...found, target }), id);
    this.changed = true;
  }

  delete(id: string): void {
    const found = this.find(id);
    const element = this.elements.get(id);
    if (found === undefined || element === undefined) return;
    this.forget(found);
    this.elements.delete(id);
    remove(element);
    this.changed = true;
  }

  private forget(relationship: Relationship): void {
    const key = keyOf(relationship);
    if (this.ids.get(key) === relationship.id) this.ids.delete(key);
  }

  private read(id: string, element: Element): Relationship {
    const target = element.get('Target') ?? '';
    const external = element.get('TargetMode') === 'External';
    const type = (element.get('Type') ?? '').replace(/^.*\//, '');
    return { id, type, target, external, path: external ? null : resolvePath(this.part, target) };
  }
}

function keyOf({ type, target, external }: Pick<Relationship, 'type' | 'target' | 'external'>): string {
  return JSON.stringify([type.replace(/^.*\//, ''), target, external]);
}

/** Returns the path of a part from the target in another part's relationship. */
export function resolvePath(from: string, target: string): string {
  const steps = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** Returns the target that leads from one part to another. */
export function relativeTarget(from: string, to: string): string {
  const source = from.split('/').slice(0, -1);
  const target = to.split('/');
  while (source.length > 0 && source[0] === target[0]) {
    source.shift();
    target.shift();
  }
  return [...source.map(() => '..'), ...target].join('/');
}
