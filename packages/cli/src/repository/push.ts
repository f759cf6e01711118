import { PlatenError } from '@platen/client';
import { explanation } from '../client.ts';
import type { Context } from '../command.ts';
import { hashOf, type LocalTemplate, readPartials, readTemplates } from './folders.ts';
import { isUnchanged, note, samplesOf, type SyncSides, stateOf } from './sync.ts';

/** Pushes a repository to a service: it sends only differences and does not overwrite changes by others. */

export interface PushOptions {
  /** Names of folders; empty: all, and partials. */
  folders: readonly string[];
  draft: boolean;
  force: boolean;
  /** Deletes templates on the service that were deleted in the repository. */
  remove: boolean;
  note: string | undefined;
}

export interface PushResult {
  /** Folders whose templates have changed. */
  changed: LocalTemplate[];
  /** Number of items not pushed, for which the reason has been printed. */
  refused: number;
}

/** @throws UsageError, PlatenError when nothing can be pushed */
export async function push(
  sides: SyncSides,
  options: PushOptions,
  { print, say }: Pick<Context, 'print' | 'say'>,
): Promise<PushResult> {
  const done: PushResult = { changed: [], refused: 0 };
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PlatenError) || isOfAll(error)) throw error;
      say(`${name}: ${refusal(error)}`);
      done.refused += 1;
    }
  };
  // All templates are read before the first request.
  const locals = await readTemplates(sides.root, options.folders);
  const partials = options.folders.length === 0 ? await readPartials(sides.root) : new Map<string, Buffer>();
  for (const [name, bytes] of partials)
    await attempt(`partials/${name}`, async () => {
      if (await pushPartial(sides, name, bytes, options.force)) print(`partials/${name}: changed`);
    });
  for (const local of locals)
    await attempt(local.folder, async () => {
      const result = await pushTemplate(sides, local, options, say);
      if (result === null) return;
      print(`${local.folder}: ${result}`);
      done.changed.push(local);
    });
  if (options.folders.length === 0) {
    const folders = new Set(locals.map(({ folder }) => folder));
    await removeOthers(sides, folders, new Set(partials.keys()), options.remove, { print, say });
  }
  await sides.state.write();
  return done;
}

/** Returns whether an error would also affect the next template. */
function isOfAll({ status }: PlatenError): boolean {
  return status === 0 || status === 401 || status === 403;
}

function refusal(error: PlatenError): string {
  if (error.code !== 'version_conflict') return explanation(error);
  return 'the service has another version than the one this folder is from. Pull it, or push --force.';
}

/** @returns whether the partial on the service has changed */
async function pushPartial(
  { state, service, partials }: SyncSides,
  name: string,
  bytes: Buffer,
  force: boolean,
): Promise<boolean> {
  const [mine, theirs, common] = [hashOf(bytes), partials.get(name), state.of.partials[name]];
  if (mine !== theirs) {
    if (theirs !== undefined && theirs !== common && !force)
      throw new PlatenError(
        412,
        'changed',
        'the service has another version than this one is based on. Pull it, or push --force.',
      );
    await service.putPartial(name, bytes);
    partials.set(name, mine);
  }
  state.of.partials[name] = mine;
  return mine !== theirs;
}

/** @returns the outcome; null when there was no change */
async function pushTemplate(
  sides: SyncSides,
  local: LocalTemplate,
  options: PushOptions,
  say: Context['say'],
): Promise<string | null> {
  const { draft, force } = options;
  const found = stateOf(sides, local.folder);
  const remote = found && sides.templates.get(found.id);
  if (found && !remote && !force)
    throw new PlatenError(
      404,
      'deleted',
      'the template was deleted on the service. Delete the folder, or push --force to add it again.',
    );
  const known = remote ? found : null;
  if (known && isUnchanged(sides, known) && known.digest === local.digest && (draft || known.draft !== true))
    return null;
  if (known && remote && !force) {
    const isSampled = samplesOf(remote) !== known.samples;
    if (known.digest === local.digest && (isSampled || remote.latest_version !== known.version)) {
      say(`${local.folder}: changed on the service, and not here. Pull it.`);
      return null;
    }
    if (isSampled)
      throw new PlatenError(
        412,
        'changed',
        'the samples on the service have changed. Pull the template, or push --force.',
      );
  }
  const expects = known && !force ? known.version : null;
  const { id, result, files } = await sides.service.import(local, known, {
    draft,
    note: options.note,
    expects,
  });
  const { latest_version: version } = await note(sides, local, { id, ids: files, draft });
  return result === 'unchanged'
    ? null
    : `${result}, version ${version}${draft && result === 'changed' ? ' (a draft)' : ''}`;
}

/** Deletes items that the repository contained earlier and no longer contains. */
async function removeOthers(
  { state, service, templates, partials }: SyncSides,
  folders: ReadonlySet<string>,
  names: ReadonlySet<string>,
  remove: boolean,
  { print, say }: Pick<Context, 'print' | 'say'>,
): Promise<void> {
  const others = [
    ...Object.entries(state.of.templates)
      .filter(([folder]) => !folders.has(folder))
      .map(([folder, { id }]) => ({
        kind: 'template' as const,
        shown: folder,
        name: id,
        isThere: templates.has(id),
        forget: () => delete state.of.templates[folder],
      })),
    ...Object.keys(state.of.partials)
      .filter((name) => !names.has(name))
      .map((name) => ({
        kind: 'partials' as const,
        shown: `partials/${name}`,
        name,
        isThere: partials.has(name),
        forget: () => delete state.of.partials[name],
      })),
  ];
  for (const { kind, shown, name, isThere, forget } of others) {
    if (isThere && !remove) {
      say(`${shown}: not here any more, but on the service. Push --delete deletes it there.`);
      continue;
    }
    if (isThere) {
      await service.remove(kind, name);
      print(`${shown}: deleted`);
    }
    forget();
  }
}
