import { readdir } from 'node:fs/promises';
import { baseName, sameFileKey } from '@platen/core/file-name';
import {
  type LocalTemplate,
  type Manifest,
  manifestOf,
  MANIFEST,
  placeOf,
  readTemplates,
  type Tree,
} from './folders.ts';
import { type SyncSides, stateOf } from './sync.ts';
import type { TemplateState } from './state.ts';

/** Matches folders with templates, and their files with each other. */

/** Returns the folders of the service's templates, by template id: by the lock file, otherwise by name. */
export async function foldersOfTemplates(sides: SyncSides): Promise<Map<string, LocalTemplate>> {
  const found = new Map<string, LocalTemplate>();
  const others: LocalTemplate[] = [];
  for (const local of await readTemplates(sides.root)) {
    const id = stateOf(sides, local.folder)?.id;
    if (id !== undefined && sides.templates.has(id)) found.set(id, local);
    else others.push(local);
  }
  for (const local of others) {
    const same = Array.from(sides.templates.values()).filter(
      ({ id, name }) => !found.has(id) && name === local.manifest.name,
    );
    const oldest = same.at(-1);
    if (oldest) found.set(oldest.id, local);
  }
  return found;
}

export async function foldersTaken(root: string): Promise<Set<string>> {
  try {
    return new Set((await readdir(placeOf(root, 'templates'))).map(sameFileKey));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

/** Returns an unused folder name for a template. */
export function unusedFolder(name: string, taken: Set<string>): string {
  const base = baseName(name);
  for (let n = 1; ; n += 1) {
    const folder = n === 1 ? base : `${base}-${n}`;
    if (taken.has(sameFileKey(folder))) continue;
    taken.add(sameFileKey(folder));
    return folder;
  }
}

/** Renames exported files to the names that the repository uses for them. */
export function withLocalNames(
  { tree, ids }: { tree: Tree; ids: Record<string, string> },
  known: TemplateState | null,
): { tree: Tree; ids: Record<string, string> } {
  const mine = new Map(Object.entries(known?.files ?? {}).map(([name, { id }]) => [id, name]));
  const names = new Map(
    Object.entries(ids).flatMap(([name, id]) => (mine.has(id) ? [[name, mine.get(id) ?? name]] : [])),
  );
  const taken = new Set(Object.keys(ids).filter((name) => !names.has(name)));
  const nameOf = (name: string): string => {
    const wanted = names.get(name) ?? name;
    return wanted !== name && taken.has(wanted) ? name : wanted;
  };
  const manifest = tree.get(MANIFEST);
  const texts = manifest && withNames(manifestOf(manifest, MANIFEST), nameOf);
  return {
    tree: new Map(
      Array.from(tree, ([name, bytes]) => [nameOf(name), name === MANIFEST && texts ? texts : bytes]),
    ),
    ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [nameOf(name), id])),
  };
}

function withNames(manifest: Manifest, nameOf: (name: string) => string): Buffer {
  const { file, header, footer, styles, images } = manifest;
  const attached = <T extends { file: string }>(files: readonly T[]): T[] =>
    files.map((one) => ({ ...one, file: nameOf(one.file) }));
  const names: Partial<Manifest> = {
    file: nameOf(file),
    ...(header === undefined ? {} : { header: nameOf(header) }),
    ...(footer === undefined ? {} : { footer: nameOf(footer) }),
    ...(styles && { styles: attached(styles) }),
    ...(images && { images: attached(images) }),
  };
  return Buffer.from(`${JSON.stringify({ ...manifest, ...names }, null, 2)}\n`);
}
