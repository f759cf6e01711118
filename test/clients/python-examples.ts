import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { blocksIn } from '../docs/pages.ts';

/** The Python of the documentation, as a program for each block: only the address and the token are filled in. */

const PAGES = ['docs/clients.md', 'clients/python/README.md'];

/** @param folder where the programs are written, and the files that a reader is supposed to have */
export async function pythonExamples(folder: string, url: string, token: string): Promise<string[]> {
  writeFileSync(path.join(folder, 'letter.html'), '<p>Dear {{ name }}');
  writeFileSync(path.join(folder, 'hello.html'), '<h1>Hello {{ name }}</h1>');
  const cover = await PDFDocument.create();
  cover.addPage();
  writeFileSync(path.join(folder, 'cover.pdf'), await cover.save());
  const texts = PAGES.flatMap((page) => {
    const blocks = blocksIn(page, 'py');
    if (blocks.length === 0) throw new Error(`${page} has no Python.`);
    return blocks.map(({ text }) => text);
  });
  return texts.map((text, index) => {
    const connected = text
      .replace('"http://localhost:8080"', JSON.stringify(url))
      .replace('"plt_…"', 'token');
    const program = path.join(folder, `example-${index}.py`);
    writeFileSync(program, `import os\nos.environ["TOKEN"] = token = ${JSON.stringify(token)}\n${connected}`);
    return program;
  });
}
