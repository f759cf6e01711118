import { UnsafePath } from '@platen/client/within';
import { sameFileKey, pathFault, quoted } from '@platen/core/file-name';
import type { Context } from '../command.ts';
import { foldersTaken, unusedFolder, foldersOfTemplates, withLocalNames } from './match.ts';
import {
  digestOf,
  folderName,
  hashOf,
  type LocalTemplate,
  readPartials,
  readTemplate,
  type Tree,
  writePartial,
  writeTemplate,
} from './folders.ts';
import type { RemoteTemplate } from './service.ts';
import { isUnchanged, note, type SyncSides, stateOf } from './sync.ts';

/** Pulls changes from a service into a repository: it writes templates that changed only on the service. */

export interface PullOptions {
  /** Names of folders or templates; empty: all, and partials. */
  names: readonly string[];
  force: boolean;
  /** `latest`, `published` or a number. */
  version: string;
}

/**
 * Pulls templates and partials. @returns the number of those not pulled, for which it has printed the reason.
 * @throws UsageError, PlatenError
 */
export async function pull(
  sides: SyncSides,
  { names, force, version }: PullOptions,
  { print, say }: Pick<Context, 'print' | 'say'>,
): Promise<number> {
  let refused = 0;
  if (names.length === 0) refused += await pullPartials(sides, force, { print, say });
  const locals = await foldersOfTemplates(sides);
  const taken = await foldersTaken(sides.root);
  const left = new Set(names);
  for (const remote of sides.templates.values()) {
    const local = locals.get(remote.id) ?? null;
    const named = [...left].filter(
      (name) =>
        [remote.name, remote.id].includes(name) || (local !== null && folderName(name) === local.folder),
    );
    for (const name of named) left.delete(name);
    const isWanted = names.length === 0 || named.length > 0;
    if (!isWanted) continue;
    const folder = local?.folder ?? unusedFolder(remote.name, taken);
    const result = await written(() => pullTemplate(sides, remote, folder, local, { force, version }));
    if (result instanceof UnsafePath) {
      refused += 1;
      say(`${folder}: not pulled: ${result.message}.`);
    } else if (result === 'refused') {
      refused += 1;
      say(`${folder}: changed here and on the service. Use pull --force to overwrite the changes made here.`);
    } else if (result === 'written')
      print(`${folder}: version ${version === 'latest' ? remote.latest_version : version}`);
  }
  for (const name of left) say(`${name}: the service has no such template.`);
  for (const [folder, { id }] of Object.entries(sides.state.of.templates))
    if (names.length === 0 && !sides.templates.has(id)) say(`${folder}: the service has it no more.`);
  await sides.state.write();
  return refused + left.size;
}

/** Returns the reason where a file is not written. */
async function written<T>(work: () => Promise<T>): Promise<T | UnsafePath> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnsafePath) return error;
    throw error;
  }
}

async function pullTemplate(
  sides: SyncSides,
  remote: RemoteTemplate,
  folder: string,
  local: LocalTemplate | null,
  { force, version }: Pick<PullOptions, 'force' | 'version'>,
): Promise<'written' | 'same' | 'refused'> {
  const known = stateOf(sides, folder);
  const isNewest = version === 'latest';
  // A folder with changes is ahead of an unchanged service.
  if (isNewest && !force && known && local && isUnchanged(sides, known)) return 'same';
  const { tree, ids } = withLocalNames(await sides.service.export(remote.id, version), known);
  const isSame = local !== null && digestOf(tree) === local.digest;
  const isChangedHere = local !== null && local.digest !== known?.digest;
  if (!isSame && isChangedHere && !force) return 'refused';
  if (!isSame) await writeTemplate(sides.root, folder, tree, Object.keys(known?.files ?? {}));
  const now = await readTemplate(sides.root, folder);
  // A pulled older version is a change of the newest one, which a push sends.
  if (isNewest) await note(sides, now, { id: remote.id, ids, draft: false });
  else await note(sides, { ...now, digest: '' }, { id: remote.id, ids: {}, draft: false });
  return isSame ? 'same' : 'written';
}

async function pullPartials(
  { root, state, service, partials }: SyncSides,
  force: boolean,
  { print, say }: Pick<Context, 'print' | 'say'>,
): Promise<number> {
  const here: Tree = await readPartials(root);
  const files = new Map(Array.from(here.keys(), (name) => [sameFileKey(name), name]));
  let refused = 0;
  const refuse = (text: string): void => {
    say(text);
    refused += 1;
  };
  for (const [name, theirs] of partials) {
    const bytes = here.get(name);
    const mine = bytes && hashOf(bytes);
    const common = state.of.partials[name];
    if (mine !== theirs) {
      if (common === theirs && mine !== undefined && !force) continue;
      if (mine !== undefined && mine !== common && !force) {
        refuse(
          `partials/${name}: changed here and on the service. Use pull --force to overwrite the changes made here.`,
        );
        continue;
      }
      const other = here.has(name) ? name : (files.get(sameFileKey(name)) ?? name);
      const result = await written(async () => {
        checkPartial(name, other);
        await writePartial(root, name, await service.partial(name));
      });
      if (result instanceof UnsafePath) {
        refuse(`${result.message}.`);
        continue;
      }
      files.set(sameFileKey(name), name);
      print(`partials/${name}: written`);
    }
    state.of.partials[name] = theirs;
  }
  return refused;
}

/**
 * @param other the partial that is this file on some systems
 * @throws UnsafePath before the partial is fetched
 */
function checkPartial(name: string, other: string): void {
  const shown = quoted(`partials/${name}`);
  const fault = pathFault(name);
  if (fault !== null) throw new UnsafePath(`${shown} is not written, because ${fault}`);
  if (other !== name)
    throw new UnsafePath(
      `${shown} is not written, because it is the same file as ${quoted(`partials/${other}`)} on macOS and Windows`,
    );
}
