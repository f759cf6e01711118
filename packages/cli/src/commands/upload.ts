import { type Command, parse, single } from '../command.ts';
import { localFile } from '../files.ts';

export const upload: Command = {
  summary: 'upload a large file, so that requests can refer to it',
  usage: `platen upload FILE

Prints upload:<id>, which refers to the file in any file field of any request for 24 hours. The other commands
upload large files by themselves.`,
  async run(args, { client, print }) {
    const { positionals } = parse(args, {});
    print(await client.upload(await localFile('file', single(positionals, 'FILE'))));
  },
};
