import { once } from 'node:events';
import { type Command, parse, SettingError, UsageError } from '../command.ts';
import { readConfig } from '../config.ts';

export const mcp: Command = {
  summary: 'serve the tools of the Model Context Protocol, for agents',
  usage: `platen mcp [--folder FOLDER] [--http PORT [--host HOST]]

Speaks over standard input and output, until that ends. An agent starts it by itself: docs/mcp.md says how.

  --folder   where files are read and written, the current folder when absent; nothing outside of it is
  --http     speak streamable HTTP on this port instead, with who has PLATEN_TOKEN
  --host     for others than this machine`,
  async run(args, { say, signal }) {
    const { values } = parse(args, {
      folder: { type: 'string' },
      http: { type: 'string' },
      host: { type: 'string' },
    });
    if (values.http !== undefined && !/^\d{1,5}$/.test(values.http))
      throw new UsageError(`--http ${values.http}: write the number of a port.`);
    const { url, token } = readConfig();
    if (token === null) throw new SettingError('PLATEN_TOKEN is not set: set it to a token of the service.');
    // Only this command loads the package: the others need nothing but Node.
    const { serveHttp, serveStdio } = await import('@platen/mcp');
    const options = { url, token, folder: values.folder ?? process.cwd() };
    if (values.http === undefined) return await serveStdio(options);
    const fault = (error: unknown): void => say(String((error as Error).stack));
    const { url: address, stop } = await serveHttp({
      ...options,
      port: Number(values.http),
      host: values.host,
      fault,
    });
    say(`The tools are at ${address}.`);
    await once(signal, 'abort');
    await stop();
  },
};
