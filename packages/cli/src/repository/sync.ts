import type { RemoteTemplate, Service } from './service.ts';
import { hashOf, type LocalTemplate, type Tree } from './folders.ts';
import { State, type TemplateState } from './state.ts';

/** Compares a repository with a service. */

export interface SyncSides {
  root: string;
  service: Service;
  state: State;
  /** Templates by id. */
  templates: Map<string, RemoteTemplate>;
  /** Partials' hashes by name. */
  partials: Map<string, string>;
}

/** @throws UsageError, PlatenError */
export async function sidesOf(root: string, service: Service): Promise<SyncSides> {
  const state = await State.read(root, await service.name());
  return { root, service, state, templates: await service.templates(), partials: await service.partials() };
}

export function stateOf({ state }: SyncSides, folder: string): TemplateState | null {
  return (Object.hasOwn(state.of.templates, folder) ? state.of.templates[folder] : null) ?? null;
}

/** Returns whether the service's state is still that of the last push or pull of the folder. */
export function isUnchanged({ templates, partials }: SyncSides, known: TemplateState): boolean {
  const remote = templates.get(known.id);
  return (
    remote?.latest_version === known.version &&
    samplesOf(remote) === known.samples &&
    Object.entries(known.partials).every(([name, hash]) => partials.get(name) === hash)
  );
}

/** Records the common state of a folder and the service, or the version that the folder is based on. */
export async function note(
  { state, service, partials }: SyncSides,
  local: Pick<LocalTemplate, 'folder' | 'digest' | 'tree'>,
  { id, ids, draft }: { id: string; ids: Record<string, string>; draft: boolean },
): Promise<RemoteTemplate> {
  const remote = await service.latest(id);
  state.of.templates[local.folder] = {
    id,
    version: remote.latest_version,
    digest: local.digest,
    samples: samplesOf(remote),
    partials: Object.fromEntries(remote.partials.map((name) => [name, partials.get(name) ?? ''])),
    ...(draft && remote.latest_version !== remote.published_version ? { draft: true } : {}),
    files: filesOf(local.tree, ids),
  };
  await state.write();
  return remote;
}

function filesOf(tree: Tree, ids: Record<string, string>): TemplateState['files'] {
  const files: TemplateState['files'] = {};
  for (const [name, id] of Object.entries(ids)) {
    const bytes = tree.get(name);
    if (bytes !== undefined) files[name] = { id, hash: hashOf(bytes) };
  }
  return files;
}

export function samplesOf({ samples }: RemoteTemplate): string {
  return hashOf(JSON.stringify(samples.map(({ name, timestamp }) => `${name} ${timestamp}`).sort()));
}
