import { createTwoFilesPatch } from 'diff';
import { hashOf, type LocalTemplate, MANIFEST, readPartials, readTemplates, type Tree } from './folders.ts';
import { foldersOfTemplates, withLocalNames } from './match.ts';
import { isUnchanged, type SyncSides, stateOf } from './sync.ts';

/**
 * Shows the changes of a push as text: lines of the service with a minus, those of the repository with a
 * plus.
 */

/**
 * Maximum edits of the diff algorithm; when two texts have little in common, the whole text is shown as
 * changed.
 */
const MAX_EDITS = 10_000;

/** @returns the differences, one text per file. @throws UsageError, PlatenError */
export async function differences(sides: SyncSides, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const matched = new Map(Array.from(await foldersOfTemplates(sides), ([id, { folder }]) => [folder, id]));
  const locals = await readTemplates(sides.root, folders);
  for (const local of locals) {
    const known = stateOf(sides, local.folder);
    if (known && isUnchanged(sides, known) && known.digest === local.digest) continue;
    const id = matched.get(local.folder);
    const theirs =
      id === undefined
        ? new Map<string, Buffer>()
        : withLocalNames(await sides.service.export(id, 'latest'), known).tree;
    found.push(...treeDifferences(`templates/${local.folder}`, theirs, local.tree));
  }
  if (folders.length > 0) return found;
  const mine = await readPartials(sides.root);
  const theirs: Tree = new Map();
  for (const [name, hash] of sides.partials) {
    const bytes = mine.get(name);
    theirs.set(name, bytes && hashOf(bytes) === hash ? bytes : await sides.service.partial(name));
  }
  found.push(...treeDifferences('partials', theirs, mine));
  const others = Array.from(sides.templates.values()).filter(({ id }) => !new Set(matched.values()).has(id));
  return [...found, ...others.map(({ id, name }) => `Only on the service: ${name} (${id})\n`)];
}

function treeDifferences(
  place: string,
  theirs: LocalTemplate['tree'],
  mine: LocalTemplate['tree'],
): string[] {
  const found: string[] = [];
  for (const name of [...new Set([...theirs.keys(), ...mine.keys()])].sort()) {
    const [before, after] = [theirs.get(name), mine.get(name)].map((bytes) =>
      bytes && name === MANIFEST ? canonical(bytes) : bytes,
    );
    if (before && after ? before.equals(after) : before === after) continue;
    found.push(difference(`${place}/${name}`, before, after));
  }
  return found;
}

function difference(path: string, before: Buffer | undefined, after: Buffer | undefined): string {
  const names = [
    before ? `service/${path}` : '/dev/null',
    after ? `repository/${path}` : '/dev/null',
  ] as const;
  const texts = [textOf(before), textOf(after)] as const;
  if (texts[0] === null || texts[1] === null) return `Binary files ${names[0]} and ${names[1]} differ\n`;
  const patch = createTwoFilesPatch(...names, texts[0], texts[1], undefined, undefined, {
    maxEditLength: MAX_EDITS,
  });
  return (
    patch?.replace(/^=+\n/, '') ??
    `Files ${names[0]} and ${names[1]} differ in more than ${MAX_EDITS} lines\n`
  );
}

/** Returns the text of a file; null for a binary file. */
function textOf(bytes: Buffer | undefined): string | null {
  if (bytes === undefined) return '';
  const text = bytes.toString();
  return text.includes('\u0000') || text.includes('\ufffd') ? null : text;
}

/** Normalises the order of fields and removes defaults, which are not differences. */
function canonical(bytes: Buffer): Buffer {
  const fields = JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as Record<string, unknown>;
  if (fields['templating_engine'] === 'jinja2') delete fields['templating_engine'];
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return Buffer.from(`${JSON.stringify(fields, sorted, 2)}\n`);
}
