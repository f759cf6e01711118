import type { Job } from '@platen/client';
import { type Command, type Context, parse, single, unknownName } from '../command.ts';
import { save } from '../files.ts';
import { errorLines } from '../jobs.ts';

export const jobs: Command = {
  summary: 'list and cancel jobs, and get their results',
  usage: `platen jobs [list] [--limit N] [--json]
platen jobs get ID [--json]
platen jobs result ID [--output FILE]
platen jobs cancel ID

  --limit    the newest N only
  --json     the JSON of the service
  --output   where to save the result; - is standard output; by default the name from the service`,
  async run(args, context) {
    const { values, positionals } = parse(args, {
      limit: { type: 'string' },
      json: { type: 'boolean' },
      output: { type: 'string', short: 'o' },
    });
    const [action = 'list', ...ids] = positionals;
    const { client, print, say, signal } = context;
    if (action === 'list') {
      const query = values.limit === undefined ? '' : `?limit=${encodeURIComponent(values.limit)}`;
      const list = await client.json<Job[]>('GET', `/jobs${query}`, { signal });
      if (values.json === true) print(JSON.stringify(list, null, 2));
      else list.forEach((job) => print(line(job)));
      return;
    }
    const path = `/jobs/${encodeURIComponent(single(ids, 'ID'))}`;
    if (action === 'get') await show(path, values.json === true, context);
    else if (action === 'cancel') await client.call('DELETE', path, { signal });
    else if (action === 'result') {
      await save(await client.call('GET', `${path}/result`, { signal }), values.output, say);
    } else throw unknownName('command jobs', action, ['list', 'get', 'result', 'cancel']);
  },
};

async function show(path: string, asJson: boolean, { client, print, signal }: Context): Promise<void> {
  const job = await client.json<Job>('GET', path, { signal });
  if (asJson) print(JSON.stringify(job, null, 2));
  else [line(job), ...errorLines(job)].forEach((text) => print(text));
}

function line({ id, state, created, total, done, failed }: Job): string {
  const count = `${done}${total === null ? '' : ` of ${total}`} done${failed > 0 ? `, ${failed} failed` : ''}`;
  return [id, state, created, count].join('  ');
}
