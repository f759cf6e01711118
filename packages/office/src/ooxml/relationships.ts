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

  constructor(document: XmlDocument | null, part: string) {
    this.document = document ?? parseXml(Buffer.from(EMPTY));
    this.part = part;
  }

  list(): Relationship[] {
    return this.document.root.elements('rel:Relationship').map((element) => {
      const target = element.get('Target') ?? '';
      const external = element.get('TargetMode') === 'External';
      return {
        id: element.get('Id') ?? '',
        type: (element.get('Type') ?? '').replace(/^.*\//, ''),
        target,
        external,
        path: external ? null : resolvePath(this.part, target),
      };
    });
  }

  find(id: string): Relationship | undefined {
    return this.list().find((relationship) => relationship.id === id);
  }

  /** @returns the id; that of an equal relationship, if there is one */
  add(type: string, target: string, external = false): string {
    const same = this.list().find(
      (one) => one.type === type && one.target === target && one.external === external,
    );
    if (same) return same.id;
    const ids = new Set(this.list().map(({ id }) => id));
    let number = ids.size + 1;
    while (ids.has(`rId${number}`)) number += 1;
    const { root } = this.document;
    root.append(
      make(root, 'rel:Relationship', {
        Id: `rId${number}`,
        Type: type.includes(':') ? type : OFFICE_RELATIONSHIP + type,
        Target: target,
        TargetMode: external ? 'External' : undefined,
      }),
    );
    this.changed = true;
    return `rId${number}`;
  }

  retarget(id: string, target: string): void {
    this.element(id)?.set('Target', target);
    this.changed = true;
  }

  delete(id: string): void {
    const element = this.element(id);
    if (element) remove(element);
    this.changed = true;
  }

  private element(id: string): Element | undefined {
    return this.document.root.elements('rel:Relationship').find((element) => element.get('Id') === id);
  }
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
