import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { serveInProcess } from '../../test/support/served.ts';
import type { Contender, Inputs } from './contender.ts';

/** The two services: Platen as `npm start` runs it, and Gotenberg. */

const blobOf = (bytes: Uint8Array | string): Blob => new Blob([Buffer.from(bytes)]);

async function post(
  url: string,
  body: FormData | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Uint8Array> {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The files to be merged, in the order of their names. */
function filesOf(files: readonly Uint8Array[], field: (index: number) => string): FormData {
  const form = new FormData();
  for (const [index, bytes] of files.entries())
    form.append(field(index), blobOf(bytes), `${String(index + 1).padStart(3, '0')}.pdf`);
  return form;
}

function withFields(form: FormData, fields: Record<string, string>): FormData {
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Starts Platen, and stores the templates. */
export async function startPlaten(inputs: Inputs, version: string): Promise<Contender> {
  const service = await serveInProcess();
  const headers = { authorization: service.token };
  const stored = async (format: string, bytes: Uint8Array | string): Promise<string> => {
    const form = new FormData();
    form.append('file_data', blobOf(bytes), `bench.${format}`);
    form.append('template_data', JSON.stringify({ name: 'Bench', format }));
    const answer = await post(`${service.url}/v1/template`, form, headers);
    return (JSON.parse(new TextDecoder().decode(answer)) as { id: string }).id;
  };
  const rendering = async (
    format: string,
    template: Uint8Array | string,
    data: unknown,
  ): Promise<() => Promise<Uint8Array>> => {
    const url = `${service.url}/v1/render/pdf/${await stored(format, template)}`;
    const body = new URLSearchParams({ render_data: JSON.stringify(data) });
    return () => post(url, body, headers);
  };
  const [first = new Uint8Array()] = inputs.invoices;
  return {
    name: 'Platen',
    version,
    works: {
      html: await rendering('html', inputs.htmlTemplate, inputs.htmlData),
      docx: await rendering('docx', inputs.docxTemplate, inputs.officeData),
      xlsx: await rendering('xlsx', inputs.xlsxTemplate, inputs.officeData),
      merge: () =>
        post(
          `${service.url}/v1/pdf/merge`,
          filesOf(inputs.invoices, (index) => `file${index + 1}`),
          headers,
        ),
      split: () =>
        post(
          `${service.url}/v1/pdf/split-zip`,
          withFields(
            filesOf([first], () => 'file'),
            { splits: '[[1,1],[2,2],[3,3]]' },
          ),
          headers,
        ),
    },
    roots: () => [service.pid],
    close: async () => {
      await service.stop();
    },
  };
}

/**
 * Starts Gotenberg.
 *
 * @param command starts it in the foreground on port 3000 of this machine, such as `chroot DIRECTORY gotenberg`
 */
export async function startGotenberg(inputs: Inputs, command: string): Promise<Contender> {
  const url = 'http://127.0.0.1:3000';
  const child = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilHealthy(url, child);
  const version = await (await fetch(`${url}/version`)).text();
  const [first = new Uint8Array()] = inputs.invoices;
  const office = (bytes: Uint8Array, format: string) => (): Promise<Uint8Array> => {
    const form = new FormData();
    form.append('files', blobOf(bytes), `bench.${format}`);
    return post(`${url}/forms/libreoffice/convert`, form);
  };
  return {
    name: 'Gotenberg',
    version,
    works: {
      html: () => {
        const form = new FormData();
        form.append('files', blobOf(inputs.html), 'index.html');
        const options = {
          paperWidth: '21cm',
          paperHeight: '29.7cm',
          printBackground: 'true',
          generateTaggedPdf: 'true',
          generateDocumentOutline: 'true',
        };
        return post(`${url}/forms/chromium/convert/html`, withFields(form, options));
      },
      docx: office(inputs.docx, 'docx'),
      xlsx: office(inputs.xlsx, 'xlsx'),
      merge: () =>
        post(
          `${url}/forms/pdfengines/merge`,
          filesOf(inputs.invoices, () => 'files'),
        ),
      split: () =>
        post(
          `${url}/forms/pdfengines/split`,
          withFields(
            filesOf([first], () => 'files'),
            { splitMode: 'intervals', splitSpan: '1' },
          ),
        ),
    },
    roots: () => (child.pid === undefined ? [] : [child.pid]),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const deadline = AbortSignal.timeout(120_000);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Gotenberg ended with exit code ${child.exitCode}.`);
    deadline.throwIfAborted();
    const healthy = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The first line of what a program prints about its version. */
export function versionOf(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0]?.trim() ?? '';
}
