import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { SourceFormat } from '../../functions/shared/convert/protocol.ts';
import { processTree } from '../../test/support/process-tree.ts';
import { builtLayers, launchRawBrowser } from '../raw-browser.ts';
import { RawOffice } from '../raw-office.ts';
import { type Contender, type Inputs, Pool } from './contender.ts';
import { versionOf } from './http.ts';

/** Programs without a service: the engines themselves and WeasyPrint in Python, all kept warm. */

const run = promisify(execFile);
const CORES = availableParallelism();

/**
 * The engines of Platen without it: reused pages of one browser, processes of LibreOffice that only load, store and
 * close, one of each per core; and qpdf.
 *
 * @param folder for their input and output files
 */
export async function startEngines(inputs: Inputs, folder: string): Promise<Contender> {
  const before = new Set(childrenOfThis());
  const raw = await launchRawBrowser(await builtLayers(), folder);
  const pages = new Pool(await Promise.all(Array.from({ length: CORES }, () => raw.browser.newPage())));
  const offices = await Promise.all(Array.from({ length: CORES }, () => RawOffice.start(folder)));
  const pool = new Pool(offices);
  const roots = childrenOfThis().filter((pid) => !before.has(pid));
  const paths = await Promise.all(
    inputs.invoices.map(async (bytes, index) => {
      const path = join(folder, `invoice-${index}.pdf`);
      await writeFile(path, bytes);
      return path;
    }),
  );
  let number = 0;
  const office = async (format: SourceFormat, bytes: Uint8Array) => {
    const input = join(folder, `bare.${format}`);
    await writeFile(input, bytes);
    return () =>
      pool.with(async (engine) => {
        const output = join(folder, `bare-${(number += 1)}.pdf`);
        await engine.convert(format, input, output);
        return await readFile(output);
      });
  };
  return {
    name: 'engines',
    version: `${await raw.browser.version()}; ${versionOf('soffice', '--version')}; ${versionOf('qpdf', '--version')}`,
    works: {
      html: () =>
        pages.with(async (page) => {
          await page.setContent(inputs.html);
          const margin = { top: '2cm', right: '1cm', bottom: '2cm', left: '1cm' };
          return await page.pdf({ format: 'a4', margin, printBackground: true, tagged: true, outline: true });
        }),
      docx: await office('docx', inputs.docx),
      xlsx: await office('xlsx', inputs.xlsx),
      merge: async () => {
        const output = join(folder, `merged-${(number += 1)}.pdf`);
        await run('qpdf', ['--empty', '--object-streams=generate', '--pages', ...paths, '--', output]);
        return await readFile(output);
      },
      split: async () => {
        const name = `split-${(number += 1)}`;
        const args = ['--split-pages=1', '--object-streams=generate', paths[0] ?? ''];
        await run('qpdf', [...args, join(folder, `${name}-%d.pdf`)]);
        return await readFile(join(folder, `${name}-1.pdf`));
      },
    },
    roots: () => roots,
    close: async () => {
      for (const engine of offices) await engine.kill();
      await raw.close();
    },
  };
}

function childrenOfThis(): number[] {
  return processTree(process.pid)
    .filter(({ parent }) => parent === process.pid)
    .map(({ pid }) => pid);
}

/** Prints a document for each line of its input: the path of an html file, a tab, the path of the PDF. */
const WEASYPRINT = `
import sys, weasyprint
for line in sys.stdin:
    source, target = line.rstrip("\\n").split("\\t")
    weasyprint.HTML(source).write_pdf(target, pdf_tags=True)
    print(target, flush=True)
`;

/**
 * WeasyPrint, in one process of Python per core.
 *
 * @param python the Python with WeasyPrint installed
 * @param folder for its input and output files
 */
export async function startWeasyPrint(inputs: Inputs, python: string, folder: string): Promise<Contender> {
  const source = join(folder, 'weasyprint.html');
  await writeFile(source, inputs.html);
  const processes = Array.from({ length: CORES }, () => {
    const child = spawn(python, ['-c', WEASYPRINT], { stdio: ['pipe', 'pipe', 'ignore'] });
    return { child, lines: createInterface({ input: child.stdout }), ended: once(child, 'exit') };
  });
  const pool = new Pool(processes);
  let number = 0;
  return {
    name: 'WeasyPrint',
    version: versionOf(python, '-c', 'import weasyprint; print(weasyprint.__version__)'),
    works: {
      html: () =>
        pool.with(async ({ child, lines, ended }) => {
          const target = join(folder, `weasyprint-${(number += 1)}.pdf`);
          const printed = once(lines, 'line');
          child.stdin.write(`${source}\t${target}\n`);
          await Promise.race([
            printed,
            ended.then(() => {
              throw new Error(`WeasyPrint ended with exit code ${child.exitCode ?? 'none'}.`);
            }),
          ]);
          return await readFile(target);
        }),
    },
    roots: () => processes.flatMap(({ child }) => child.pid ?? []),
    close: async () => {
      await Promise.all(
        processes.map(async ({ child, ended }) => {
          child.stdin.end();
          await ended;
        }),
      );
    },
  };
}
