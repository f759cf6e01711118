import { watch as watchFiles } from 'node:fs';
import path from 'node:path';
import { PlatenError } from '@platen/client';
import { UnsafePath, writeWithin } from '@platen/client/within';
import { explanation } from '../client.ts';
import { type Command, type Context, parse, PartialFailure, UsageError } from '../command.ts';
import { differences } from '../repository/diff.ts';
import type { LocalTemplate } from '../repository/folders.ts';
import { pull as pullFrom } from '../repository/pull.ts';
import { push as pushTo, type PushOptions } from '../repository/push.ts';
import { Service } from '../repository/service.ts';
import { type SyncSides, sidesOf, stateOf } from '../repository/sync.ts';

/** Commands for templates in a repository (docs/repository.md). */

const COMMON = { dir: { type: 'string', default: '.' }, force: { type: 'boolean' } } as const;
const PUSH = {
  ...COMMON,
  draft: { type: 'boolean' },
  delete: { type: 'boolean' },
  note: { type: 'string' },
} as const;
const DIR =
  '  --dir      the repository, which has the folders templates and partials; this directory when absent';

/** Milliseconds within which file events count as one change. */
const SETTLED_MS = 300;

async function sides(dir: string, { client, signal }: Context): Promise<SyncSides> {
  return await sidesOf(dir, new Service(client, signal));
}

export const pull: Command = {
  summary: 'write templates of the service to files',
  usage: `platen pull [NAME…] [--version N] [--force] [--dir DIR]

  Writes changes of the service to files that have not changed here. NAME is a folder, or the name or id of a template;
  by default all templates and partials.

  --version  a number or "published" instead of the newest version; the next push makes it the newest one
  --force    overwrites changes made here, too
${DIR}`,
  async run(args, context) {
    const { values, positionals } = parse(args, {
      ...COMMON,
      version: { type: 'string', default: 'latest' },
    });
    const { version, force = false } = values;
    if (!/^(?:latest|published|[1-9]\d*)$/.test(version))
      throw new UsageError('--version is a number, latest or published.');
    if (/\d/.test(version) && positionals.length !== 1)
      throw new UsageError('--version with a number requires the name of one template.');
    const options = { names: positionals, force, version };
    finished(await pullFrom(await sides(values.dir, context), options, context), 'pulled');
  },
};

export const push: Command = {
  summary: 'write changes of files to the service',
  usage: `platen push [FOLDER…] [--draft] [--note TEXT] [--delete] [--force] [--dir DIR]

  Sends the differences, each template as one new version, and prints the results. Refuses templates that have changed
  on the service since the last pull or push. FOLDER is a folder below templates; by default all folders and partials.

  --draft    renderings do not use the new versions yet; the next push without it publishes them
  --note     reason for the new versions
  --delete   deletes on the service what was deleted here
  --force    overwrites changes made on the service
${DIR}`,
  async run(args, context) {
    const { values, positionals } = parse(args, PUSH);
    const { refused } = await pushTo(
      await sides(values.dir, context),
      pushOptions(values, positionals),
      context,
    );
    finished(refused, 'pushed');
  },
};

export const diff: Command = {
  summary: 'show what a push would change',
  usage: `platen diff [FOLDER…] [--exit-code] [--dir DIR]

  Lines with a minus are the service's newest, those with a plus are here.

  --exit-code  1 when there is a difference
${DIR}`,
  async run(args, context) {
    const { values, positionals } = parse(args, { ...COMMON, 'exit-code': { type: 'boolean' } });
    const found = await differences(await sides(values.dir, context), positionals);
    for (const text of found) context.print(text.trimEnd());
    if (values['exit-code'] === true && found.length > 0) throw new PartialFailure(`${found.length} differ.`);
  },
};

export const watch: Command = {
  summary: 'push whenever a file is saved',
  usage: `platen watch [FOLDER…] [--draft] [--output DIR] [--note TEXT] [--force] [--dir DIR]

  Pushes at once and after every change, until Ctrl-C. Each push that changes a template writes a version of it.

  --output   renders each template that was changed with its samples, into this directory
  --draft    renderings do not use the new versions
${DIR}`,
  async run(args, context) {
    const { values, positionals } = parse(args, { ...PUSH, output: { type: 'string', short: 'o' } });
    const options = pushOptions(values, positionals);
    const once = async (): Promise<void> => {
      try {
        const now = await sides(values.dir, context);
        const { changed } = await pushTo(now, options, context);
        if (values.output !== undefined)
          for (const local of changed) await renderSamples(now, local, values.output, context);
      } catch (error) {
        // The file may be half written or the service restarting: the next change triggers another attempt.
        if (!(error instanceof UsageError || error instanceof PlatenError)) throw error;
        context.say(error instanceof PlatenError ? explanation(error) : error.message);
      }
    };
    await whenChanged(values.dir, once, context);
  },
};

/**
 * Does the work at once, and again after each change of a template or partial, until the signal is aborted.
 *
 * The events of `fs.watch` are listened to, because the iterator of `fs.promises.watch` starts when it is first asked, and
 * loses changes of the time between two questions.
 *
 * @throws the reason of the signal; an error of the work
 */
async function whenChanged(dir: string, work: () => Promise<void>, { signal, say }: Context): Promise<void> {
  signal.throwIfAborted();
  const watcher = watchFiles(dir, { recursive: true });
  let settled: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  try {
    const ended = new Promise<never>((_, reject) => {
      watcher.on('error', reject);
      watcher.on('change', (_event, filename) => {
        if (!/^(?:templates|partials)[/\\]/.test(String(filename ?? ''))) return;
        clearTimeout(settled);
        settled = setTimeout(() => {
          last = last.then(work);
          last.catch(reject);
        }, SETTLED_MS);
      });
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    last = work();
    await Promise.race([last, ended]);
    say('Waiting for changes; Ctrl-C ends.');
    await ended;
  } finally {
    clearTimeout(settled);
    watcher.close();
  }
}

function pushOptions(
  {
    draft = false,
    force = false,
    delete: remove = false,
    note,
  }: { draft?: boolean; force?: boolean; delete?: boolean; note?: string },
  folders: readonly string[],
): PushOptions {
  return { folders, draft, force, remove, note };
}

function finished(refused: number, what: string): void {
  if (refused > 0) throw new PartialFailure(`${refused} not ${what}.`);
}

async function renderSamples(
  sides: SyncSides,
  { folder, tree }: LocalTemplate,
  output: string,
  { say }: Context,
): Promise<void> {
  const id = stateOf(sides, folder)?.id ?? '';
  const samples = Array.from(tree).filter(([name]) => name.startsWith('samples/'));
  for (const [name, data] of samples.length > 0
    ? samples
    : [['samples/empty.json', Buffer.from('{}')] as const]) {
    const file = `${folder}-${path.basename(name, '.json')}.pdf`;
    try {
      const pdf = await sides.service.render(id, data);
      say(`Saved ${await writeWithin(output, file, new Uint8Array(pdf))}`);
    } catch (error) {
      if (error instanceof PlatenError) say(`${path.join(output, file)}: ${explanation(error)}`);
      else if (error instanceof UnsafePath) say(`${error.message}.`);
      else throw error;
    }
  }
}
