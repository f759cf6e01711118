import { FieldNames } from '../graft/field-names.ts';
import { ReadTarget } from '../graft/target.ts';
import { ownersOf } from '../graft/forms.ts';
import type { PdfFile } from '../model/index.ts';
import type { UniqueNames } from '../model/name-tree.ts';
import { isRef, isString, type PdfValue, type Ref, textOf } from '../model/values.ts';

/** Deeper fields keep their names in actions. */
const MAX_LEVELS = 64;

/**
 * Gives the fields of a document names that are unique in the combined file, and its actions these names. Fields with
 * the same name would be a single field with one value.
 *
 * @param scripts of the document, by name
 * @returns the changed scripts, the objects whose actions may reach fields in a way that is not changed, and whether the
 * document has fields
 */
export function renameFields(
  file: PdfFile,
  names: UniqueNames,
  scripts: [string, PdfValue][],
): { scripts: [string, PdfValue][]; unsure: string[]; hasFields: boolean } {
  const target = new ReadTarget(file);
  const own = new FieldNames(file, names);
  const fields = new Map<Ref, string>();
  const visit = (ref: PdfValue, above: string, level: number): void => {
    if (!isRef(ref) || fields.has(ref) || level > MAX_LEVELS) return;
    const field = file.dict(ref);
    const full = own.add(field, above);
    fields.set(ref, full);
    for (const kid of file.array(field['/Kids'])) visit(kid, full, level + 1);
  };
  for (const ref of file.array(file.dict(file.catalog['/AcroForm'])['/Fields'])) {
    visit(ref, '', 0);
    const name = isRef(ref) ? file.resolve(file.dict(ref)['/T']) : null;
    if (!isRef(ref) || !isString(name)) continue;
    const unique = own.rename(name);
    if (unique !== name) target.edit(ref)['/T'] = unique;
  }
  const owners = new Map<Ref, string>([
    ...ownersOf(target, file.pages()),
    ...[...fields].map(([ref, name]) => [ref, `field ${name}`] as const),
    ...outlineItems(file),
  ]);
  const actions = own.actions(target);
  const unsure = [...owners].filter(([ref]) => !actions.rename(ref)).map(([, name]) => name);
  const changed = scripts.map(([name, script]): [string, PdfValue] => {
    const { changes, isSure } = actions.changes({ '/A': script });
    if (!isSure) unsure.push(`script ${textOf(name)}`);
    return [name, changes['/A'] ?? script];
  });
  return { scripts: changed, unsure, hasFields: own.any };
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
