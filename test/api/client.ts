import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** Calls to the service under test, and looks at what it answers. */

const { url, token, dataDir } = inject('service');

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** An address of the service as its answers name it: the whole path, with the stage. */
export function pathOf(path: string): string {
  return new URL(url).pathname + path;
}

/** Makes a token, as an operator does. */
export async function mint(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('node', ['bin/token.ts', 'create', ...options], {
    env: { ...process.env, PLATEN_DATA_DIR: dataDir },
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Sends a request with a token and reads the whole answer. */
export async function call(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...init,
    headers: { authorization: token, ...(init.headers as Record<string, string> | undefined) },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

export function jsonOf(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.bytes.toString()) as Record<string, unknown>;
}

/** Answers that are not what they should be are shown with their problem. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) {
    throw new Error(
      `answered ${answer.status} instead of ${status}: ${answer.bytes.toString('utf8', 0, 2000)}`,
    );
  }
  return answer;
}

/** A form: strings are text fields, a pair is a file with its name. */
export function form(
  fields: Record<string, string | [content: string | Buffer, filename: string]>,
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([value[0]]), value[1]);
  }
  return data;
}

/** Adds a template and gives its id. */
export async function addTemplate(
  html: string | Buffer,
  data: Record<string, unknown> = {},
  files: Record<string, [string, string]> = {},
): Promise<string> {
  const body = form({
    file_data: [html, 'template.html'],
    template_data: JSON.stringify({ name: 'Test', format: 'html', ...data }),
    ...files,
  });
  const answer = expectStatus(await call('POST', '/v1/template', { body }), 200);
  return jsonOf(answer)['id'] as string;
}

/** Renders a template sent along. */
export async function renderNow(
  html: string,
  { data = {}, options = {}, ...fields }: { data?: unknown; options?: object; [field: string]: unknown } = {},
  format = 'pdf',
): Promise<Answer> {
  const body = form({
    file_data: [html, 'template.html'],
    render_data: typeof data === 'string' ? data : JSON.stringify(data),
    render_options: JSON.stringify(options),
    ...(fields as Record<string, string | [string, string]>),
  });
  return await call('POST', `/v1/render/${format}`, { body });
}

/** A job, once it has ended. */
export async function endedJob(id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const job = jsonOf(expectStatus(await call('GET', `/v1/jobs/${id}`), 200));
    if (job['state'] !== 'queued' && job['state'] !== 'running') return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Sends a request as a job and gives its result. */
export async function resultOfJob(path: string, body: FormData): Promise<Answer> {
  const headers = { prefer: 'respond-async' };
  const { id } = jsonOf(expectStatus(await call('POST', path, { body, headers }), 202));
  await endedJob(id as string);
  return expectStatus(await call('GET', `/v1/jobs/${id as string}/result`), 200);
}

/** Runs `look` with the bytes as a file. */
export function asFile<T>(bytes: Buffer, look: (path: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'platen-look-'));
  try {
    const path = join(directory, 'document');
    writeFileSync(path, bytes);
    return look(path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The text of a PDF, laid out as on the page. */
export function pdfText(pdf: Buffer): string {
  return asFile(pdf, (path) => execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }));
}

/** What pdfinfo says of a PDF, by its labels. */
export function pdfInfo(pdf: Buffer, ...options: string[]): Record<string, string> {
  const text = asFile(pdf, (path) =>
    execFileSync('pdfinfo', [...options, path], { encoding: 'utf8', stdio: 'pipe' }),
  );
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** Throws what qpdf says when it finds fault with a PDF. */
export function checkPdf(pdf: Buffer): void {
  asFile(pdf, (path) => execFileSync('qpdf', ['--check', path], { encoding: 'utf8', stdio: 'pipe' }));
}

/** The entries of a ZIP, in its order. */
export function zipEntries(zip: Buffer): string[] {
  return asFile(zip, (path) => execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n'));
}

/** One entry of a ZIP. */
export function zipEntry(zip: Buffer, name: string): Buffer {
  return asFile(zip, (path) => execFileSync('unzip', ['-p', path, name], { maxBuffer: 64 * 1024 * 1024 }));
}

/** The colour of a point of page 1, red, green, blue; `x` and `y` in centimetres from the top left corner. */
export function pixel(pdf: Buffer, x: number, y: number): [number, number, number] {
  const dpi = 100;
  const at = (centimetres: number): string => String(Math.round((centimetres / 2.54) * dpi));
  const ppm = asFile(pdf, (path) =>
    execFileSync('pdftoppm', [
      '-r',
      String(dpi),
      '-f',
      '1',
      '-l',
      '1',
      '-x',
      at(x),
      '-y',
      at(y),
      '-W',
      '1',
      '-H',
      '1',
      path,
    ]),
  );
  const [red = 0, green = 0, blue = 0] = ppm.subarray(-3);
  return [red, green, blue];
}
