import { call, callJson, callList, filenameOf, segment, warningsOf } from './client.ts';
import type { Job, Report } from './types.ts';

/** The requests that make documents. */

export interface Document {
  blob: Blob;
  filename: string;
  warnings: string[];
}

/** A template with all its files, sent along with a request. */
export interface SentTemplate {
  file: Blob;
  /** `format`, `templating_engine` and the options that the template registers. */
  data: Readonly<Record<string, unknown>>;
  header: string;
  footer: string;
  styles: readonly string[];
  /** By the name of the image's variable. */
  images: ReadonlyMap<string, Blob>;
}

/** Renders a template that is sent along. @throws PlatenError */
export async function renderSent(
  template: SentTemplate,
  renderData: string,
  signal?: AbortSignal,
): Promise<Document> {
  const answer = await call('POST', 'render/pdf', { form: formOf(template, renderData), signal });
  return document(answer, 'preview.pdf');
}

/** Requests the report of a rendering instead of its document. @throws PlatenError */
export const reportSent = (
  template: SentTemplate,
  renderData: string,
  signal?: AbortSignal,
): Promise<Report> => callJson('POST', 'render/report', { form: formOf(template, renderData), signal });

/** @throws PlatenError */
export const reportStored = (id: string, renderData: string, signal?: AbortSignal): Promise<Report> =>
  callJson('POST', `render/report/${segment(id)}`, {
    form: { render_data: renderData },
    query: { version: 'latest' },
    signal,
  });

function formOf(template: SentTemplate, renderData: string): Record<string, string | Blob | undefined> {
  const form: Record<string, string | Blob | undefined> = {
    template_data: JSON.stringify(template.data),
    render_data: renderData,
    file_data: template.file,
    header_data: template.header === '' ? undefined : new File([template.header], 'header.html'),
    footer_data: template.footer === '' ? undefined : new File([template.footer], 'footer.html'),
  };
  template.styles.forEach((css, index) => {
    form[`css_${String(index).padStart(3, '0')}`] = new File([css], 'style.css');
  });
  for (const [uri, blob] of template.images) form[`img_${uri}`] = new File([blob], uri, { type: blob.type });
  return form;
}

/** Renders a stored template. @throws PlatenError */
export async function renderStored(
  id: string,
  renderData: string,
  { version, format = 'pdf', options, signal }: RenderStored = {},
): Promise<Document> {
  const answer = await call('POST', `render/${segment(format)}/${segment(id)}`, {
    form: { render_data: renderData, render_options: options },
    query: { version },
    signal,
  });
  return document(answer, `document.${format}`);
}

export interface RenderStored {
  version?: string;
  format?: string;
  options?: string;
  signal?: AbortSignal | undefined;
}

/** Starts a batch. @param records JSON text, or a file of JSON, JSON Lines, CSV, XLS or XLSX @throws PlatenError */
export const startBatch = (
  id: string,
  records: string | File,
  { format, skip, combine }: { format: string; skip: boolean; combine?: boolean },
): Promise<Job> =>
  callJson('POST', `render/${segment(format)}/batch/${segment(id)}`, {
    form: {
      render_data: records,
      on_error: skip ? 'skip' : 'fail',
      combine: combine === true ? 'pdf' : undefined,
    },
    headers: { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() },
  });

/** Most jobs that are counted for the usage: ten pages of the list. */
export const MAX_JOBS = 2_000;

export const listNewestJobs = (): Promise<Job[]> => callList('jobs', MAX_JOBS);

export const listJobs = (): Promise<Job[]> => callJson('GET', 'jobs', { query: { limit: '100' } });

export const getJob = (id: string, signal?: AbortSignal): Promise<Job> =>
  callJson('GET', `jobs/${segment(id)}`, { signal });

export async function deleteJob(id: string): Promise<void> {
  await call('DELETE', `jobs/${segment(id)}`);
}

export async function jobResult(id: string): Promise<Document> {
  return document(await call('GET', `jobs/${segment(id)}/result`), 'result');
}

/** Runs one operation on PDFs. @param name path below `/v1/pdf/` @throws PlatenError */
export async function pdfOperation(
  name: string,
  form: Readonly<Record<string, string | Blob | undefined>>,
): Promise<Document> {
  return document(await call('POST', `pdf/${name}`, { form }), `${name.replaceAll('/', '-')}.pdf`);
}

/** Returns the response of an operation that reads a PDF. @throws PlatenError */
export const pdfQuestion = <T>(name: string, file: File, fields: Record<string, string> = {}): Promise<T> =>
  callJson('POST', `pdf/${name}`, { form: { file, ...fields } });

async function document(answer: Response, fallback: string): Promise<Document> {
  return {
    blob: await answer.blob(),
    filename: filenameOf(answer, fallback),
    warnings: warningsOf(answer),
  };
}
