import { ActionNames } from '../graft/actions.ts';
import { ReadDocument } from '../graft/file-target.ts';
import { newNames, ownersOf } from '../graft/forms.ts';
import { OwnFields } from '../graft/own-fields.ts';
import type { PdfFile } from '../model/index.ts';
import type { UniqueNames } from '../name-tree.ts';
import { isRef, isString, type PdfValue, type Ref, textOf } from '../values.ts';

/** Deeper fields and outline items are left as they are. */
const MAX_LEVELS = 64;

/**
 * Gives the fields of a document names that are unique in the combined file, and its actions these names. Fields with
 * the same name would be a single field with one value.
 *
 * @param scripts of the document, by name
 * @returns the changed scripts, and the objects whose actions may reach fields in a way that is not changed
 */
export function renameFields(
  file: PdfFile,
  names: UniqueNames,
  scripts: [string, PdfValue][],
): { scripts: [string, PdfValue][]; unsure: string[] } {
  const target = new ReadDocument(file);
  const renamed = new Map<string, string>();
  const all = new Map<Ref, string>();
  const [top, leaves]: [string[], string[]] = [[], []];
  const visit = (ref: PdfValue, above: string, level: number): void => {
    if (!isRef(ref) || all.has(ref) || level > MAX_LEVELS) return;
    const field = file.dict(ref);
    const own = file.resolve(field['/T']);
    const full = [above, isString(own) ? textOf(own) : ''].filter((name) => name !== '').join('.');
    all.set(ref, full);
    const kids = file.array(field['/Kids']);
    if (isString(own) && !kids.some((kid) => isString(file.resolve(file.dict(kid)['/T'])))) leaves.push(full);
    for (const kid of kids) visit(kid, full, level + 1);
  };
  for (const ref of file.array(file.dict(file.catalog['/AcroForm'])['/Fields'])) {
    visit(ref, '', 0);
    const name = isRef(ref) ? file.resolve(file.dict(ref)['/T']) : null;
    if (!isRef(ref) || !isString(name)) continue;
    const unique = names.take(name);
    top.push(textOf(unique));
    if (unique === name) continue;
    renamed.set(textOf(name), textOf(unique));
    target.edit(ref)['/T'] = unique;
  }
  if (all.size === 0) return { scripts, unsure: [] };
  const nameOf = newNames(renamed, new Set(all.values()));
  const own = new OwnFields(
    top,
    leaves.map((leaf) => nameOf(leaf) ?? leaf),
  );
  const owners = new Map<Ref, string>([
    ...ownersOf(target, file.pages()),
    ...[...all].map(([ref, name]) => [ref, `field ${name}`] as const),
    ...outlineItems(file),
  ]);
  const actions = new ActionNames(target, nameOf, own);
  const unsure = [...owners].filter(([ref]) => !actions.rename(ref)).map(([, name]) => name);
  const changed = scripts.map(([name, script]): [string, PdfValue] => {
    const { changes, isSure } = actions.changes({ '/A': script });
    if (!isSure) unsure.push(`script ${textOf(name)}`);
    return [name, changes['/A'] ?? script];
  });
  return { scripts: changed, unsure };
}

function outlineItems(file: PdfFile): Map<Ref, string> {
  const items = new Map<Ref, string>();
  const stack: PdfValue[] = [file.dict(file.catalog['/Outlines'])['/First'] ?? null];
  while (stack.length > 0) {
    const ref = stack.pop();
    if (!isRef(ref) || items.has(ref)) continue;
    const item = file.dict(ref);
    items.set(ref, `outline item ${textOf(file.resolve(item['/Title']))}`);
    stack.push(item['/First'] ?? null, item['/Next'] ?? null);
  }
  return items;
}
