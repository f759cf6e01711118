import { type Command, optionsJson, parse, single } from '../command.ts';
import { byField, localFile, save } from '../files.ts';

const OUTPUT = `  --option   a render option, such as paper_format=A5 or image_mode=L; any number of times
  --output   where to save the PDF; - is standard output; by default the name from the service`;

export const image: Command = {
  summary: 'turn an image into a PDF',
  usage: `platen image FILE [--option name=value]… [--output FILE]

${OUTPUT}`,
  async run(args, { client, say, signal }) {
    const { values, positionals } = parse(args, {
      option: { type: 'string', multiple: true },
      output: { type: 'string', short: 'o' },
    });
    const file = await localFile('image', single(positionals, 'FILE'));
    const { body } = await client.form({ render_options: optionsJson(values.option) }, byField([file]));
    await save(await client.call('POST', '/render/img', { body, signal }), values.output, say);
  },
};

export const barcode: Command = {
  summary: 'turn data into a barcode in a PDF',
  usage: `platen barcode DATA [--type code128] [--option name=value]… [--output FILE]

  --type     code128 when absent; ean13, qr, datamatrix, …
${OUTPUT}`,
  async run(args, { client, say, signal }) {
    const { values, positionals } = parse(args, {
      type: { type: 'string', default: 'code128' },
      option: { type: 'string', multiple: true },
      output: { type: 'string', short: 'o' },
    });
    const data = JSON.stringify({ data: single(positionals, 'DATA'), barcode_format: values.type });
    const { body } = await client.form({ data, render_options: optionsJson(values.option) });
    await save(await client.call('POST', '/render/barcode', { body, signal }), values.output, say);
  },
};
