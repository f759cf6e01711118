import { setLogLevel } from '../../functions/shared/log.ts';
import { TemplateStore } from '../../functions/shared/store/templates.ts';
import { startEmbeddedStorage } from '../store/embedded.ts';

/**
 * Two hundred writers and readers of one template at once, by DynamoDB's and S3's own protocols: every number is given
 * once, every version is whole, and one of those who expect the same version writes. `npm run soak:versions [writers]`.
 *
 * All of them and the storage share one process: on a busy machine some are told `storage_unavailable` (503) when their
 * time for a request is over, and do not know whether they wrote. Whatever they did has to be whole as well.
 */

const writers = Number(process.argv[2] ?? 200);
const storage = await startEmbeddedStorage();
setLogLevel('silent');
const store = new TemplateStore({ ...storage, keptVersions: 1000 });
const file = (text: string) => ({ bytes: Buffer.from(text), filename: null, contentType: 'text/html' });
const template = { format: 'html', description: null, templatingEngine: 'jinja2', options: {} } as const;
const first = { ...template, name: 'v', templateFile: file('v'), headerFile: null, footerFile: null };

const faults: string[] = [];
const { id } = await store.add('t', first);
const started = Date.now();
const unavailable = (error: unknown): null => {
  if ((error as { code?: string }).code !== 'storage_unavailable') throw error;
  return null;
};
const stop = new AbortController();
const reading = Array.from({ length: 20 }, async () => {
  let reads = 0;
  for (; !stop.signal.aborted; reads += 1) {
    const seen = await store.loadForRendering('t', id).catch(unavailable);
    if (seen !== null && seen.name !== seen.file.text)
      faults.push(`a version half of ${seen.name}, half of ${seen.file.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return reads;
});
const outcomes = await Promise.allSettled(
  Array.from({ length: writers }, async (_, n) => {
    const text = `t${n}`;
    const how = { publish: n % 4 > 0, note: null, expects: null };
    const made = await store.change('t', id, how, () =>
      Promise.resolve({ name: text, templateFile: file(text) }),
    );
    return { text, version: made.version };
  }),
);
stop.abort();
const reads = (await Promise.all(reading)).reduce((sum, count) => sum + count, 0);
const seconds = (Date.now() - started) / 1000;
const written = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
const refused = outcomes.flatMap((outcome) =>
  outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code ?? String(outcome.reason)] : [],
);
const unsure = refused.filter((code) => code === 'storage_unavailable').length;
for (const code of refused)
  if (code !== 'conflict' && code !== 'storage_unavailable') faults.push(`a writer was told ${code}`);
const numbers = new Set(written.map(({ version }) => version));
if (numbers.size !== written.length) faults.push('a number was given twice');
const { latest } = await store.get('t', id);
if (latest - 1 < written.length || latest - 1 > written.length + unsure)
  faults.push(`${written.length} writers, and ${unsure} unsure ones, made ${latest - 1} versions`);
const texts = new Set<string>();
for (let version = 1; version <= latest; version += 1) {
  const { name, file: own } = await store.loadForRendering('t', id, version);
  if (name !== own.text) faults.push(`version ${version} is half of ${name}, half of ${own.text}`);
  if (texts.has(name)) faults.push(`${name} was written twice`);
  texts.add(name);
}
for (const { text, version } of written) {
  const { name, file: own } = await store.loadForRendering('t', id, version);
  if (name !== text || own.text !== text)
    faults.push(`version ${version} is ${name}, ${own.text}, not ${text}`);
}
const expecting = await Promise.allSettled(
  Array.from({ length: 50 }, () =>
    store.change('t', id, { publish: true, note: null, expects: (version) => version === latest }, () =>
      Promise.resolve({ name: 'x', templateFile: file('x') }),
    ),
  ),
);
const fulfilled = expecting.filter(({ status }) => status === 'fulfilled').length;
if (fulfilled > 1) faults.push(`${fulfilled} of 50 who expected the same version wrote`);
if ((await store.get('t', id)).latest !== latest + 1)
  faults.push('of 50 who expected the same version not one wrote, or more');
await storage.stop();
const told = `${written.length} versions by ${writers} writers in ${seconds.toFixed(1)} s, ${refused.length - unsure} told 409, ${unsure} told 503, ${reads} reads`;
console.log(faults.length === 0 ? `${told}: every one whole.` : `${told}:\n${faults.join('\n')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
