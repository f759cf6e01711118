/**
 * Converts one image to one PDF in a process of its own, for bench/images.ts: `node images-once.mjs IMAGE PDF [fonts]`.
 * Prints its peak memory in MB.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { localGhostscript } from '../test/support/local-engines.ts';
import { imageDocument } from '../functions/images/image-document.ts';

const [input = '', output = '', fontFolder = ''] = process.argv.slice(2);
const engines = {
  fontFolder: fontFolder === '' ? null : fontFolder,
  converter: localGhostscript(),
};
const image = { bytes: await readFile(input), hints: [input] };
await writeFile(output, await imageDocument(image, {}, engines, { deadline: Date.now() + 120_000 }));
console.log(Math.round(process.resourceUsage().maxRSS / 1024));
