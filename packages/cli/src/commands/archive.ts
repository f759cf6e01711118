import { type Command, parse, single } from '../command.ts';
import { byField, localFile, save } from '../files.ts';

/** Exports all templates of a tenant as one ZIP. */

export const exportAll: Command = {
  summary: 'save all templates, partials, fonts and translations as a ZIP',
  usage: `platen export [--output FILE] [--template ID] [--version latest]

  --output   templates.zip when absent; - is standard output
  --template this one alone
  --version  a number of that template, or latest; the published one when absent`,
  async run(args, { client, say, signal }) {
    const { values } = parse(args, {
      output: { type: 'string', short: 'o' },
      template: { type: 'string' },
      version: { type: 'string' },
    });
    const { template, version } = values;
    const query = new URLSearchParams({
      ...(template === undefined ? {} : { template }),
      ...(version === undefined ? {} : { version }),
    });
    await save(await client.call('GET', `/export?${query.toString()}`, { signal }), values.output, say);
  },
};

interface Result {
  result: string;
}

export const importAll: Command = {
  summary: 'add or update the templates and files of such a ZIP',
  usage: `platen import FILE [--draft] [--note TEXT]

  Prints the result for each template, partial, font and translation.

  --draft    renderings do not use the new versions of existing templates
  --note     reason for the new versions`,
  async run(args, { client, print, signal }) {
    const { values, positionals } = parse(args, { draft: { type: 'boolean' }, note: { type: 'string' } });
    const file = await localFile('file_data', single(positionals, 'FILE'), 'templates.zip');
    const { body } = await client.form(
      { publish: String(values.draft !== true), note: values.note },
      byField([file]),
    );
    const { templates, ...others } = await client.json<
      { templates: (Result & { folder: string; id: string; version: number })[] } & Record<
        string,
        (Result & { name: string })[]
      >
    >('POST', '/import', { body, signal });
    for (const [kind, files] of Object.entries(others))
      for (const { name, result } of files) print(`${kind}/${name}: ${result}`);
    for (const { folder, id, version, result } of templates)
      print(`templates/${folder}: ${result}, version ${version}, ${id}`);
  },
};
