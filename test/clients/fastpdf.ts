import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';

/** The Go SDK of FastPDF, of which a checkout is given: made ready to run. */

/**
 * @param sdk the folder of the SDK, with its go.mod
 * @param folder made; the program is in it
 * @returns arguments of `go`, which is to be run there
 */
export async function goProgram(sdk: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'fastpdf-go/main.go'), path.join(folder, 'main.go'));
  const module = 'github.com/fastpdfservices/fastpdf-go';
  const lines = ['module platen.test', 'go 1.17', `require ${module} v0.0.0`, `replace ${module} => ${sdk}`];
  writeFileSync(path.join(folder, 'go.mod'), `${lines.join('\n')}\n`);
  const document = await PDFDocument.create();
  for (let page = 0; page < 4; page++) document.addPage([200, 200]);
  writeFileSync(path.join(folder, 'four.pdf'), await document.save());
  return ['run', '.', 'four.pdf'];
}
