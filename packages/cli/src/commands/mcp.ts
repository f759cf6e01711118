import { type Command, parse, SettingError } from '../command.ts';
import { readConfig } from '../config.ts';

export const mcp: Command = {
  summary: 'serve the tools of the Model Context Protocol, for agents',
  usage: `platen mcp [--folder FOLDER]

Speaks over standard input and output, until that ends. An agent starts it by itself: docs/mcp.md says how.

  --folder   where files are read and written, the current folder when absent; nothing outside of it is`,
  async run(args) {
    const { values } = parse(args, { folder: { type: 'string' } });
    const { url, token } = readConfig();
    if (token === null) throw new SettingError('PLATEN_TOKEN is not set: set it to a token of the service.');
    // Loaded for this command alone: the others need nothing but Node.
    const { serveStdio } = await import('@platen/mcp');
    await serveStdio({ url, token, folder: values.folder ?? process.cwd() });
  },
};
