import { isWebFormat } from '@platen/print';
import { measure } from '../shared/measures.ts';
import type { Rendered } from './batch.ts';
import { renderForm } from './form-document.ts';
import { noticeOf } from './found.ts';
import { htmlOfTemplate } from './html/fill.ts';
import { pdfOfTemplate, pictureOfTemplate } from './html/print.ts';
import { wordOfTemplate } from './html/word.ts';
import { recordName } from './naming.ts';
import { renderOfficeDocument } from './office-document.ts';
import { isPicture } from './output.ts';
import { recorded } from './finishing.ts';
import type { Rendering } from './rendering.ts';
import { Recorder } from './report/recorder.ts';
import { reportOf } from './report/report.ts';

/**
 * Renders a record.
 *
 * @param record text of a JSON object
 * @param index its number; undefined if it is the only one of the request
 */
export async function renderRecord(shared: Rendering, record: string, index?: number): Promise<Rendered> {
  const { plan, filler, signal, found, warn } = shared;
  const { template, settings, output } = plan;
  await filler.checkData(template.dataSchema, record, signal);
  const recorder = shared.isReported ? new Recorder() : null;
  const notice = noticeOf(settings.undefinedNames, (noticed) => {
    found.add(noticed, index);
    recorder?.found.undefinedNames.push(...noticed.undefinedNames);
    recorder?.found.markup.push(...noticed.markup);
  });
  const rendering = { ...shared, notice, recorder, finishing: recorded(shared.finishing, recorder) };
  const name = await recordName(settings, record, rendering);
  if (name === null && settings.filename !== null) warn(NAMELESS);
  const bytes = await makeDocument(record, rendering);
  measure('documents', 1);
  if (recorder === null) return { bytes, name, report: null };
  const report = await reportOf(recorder, bytes, settings, rendering);
  const isReport = output === 'report';
  return { bytes: isReport ? Buffer.from(JSON.stringify(report, null, 2)) : bytes, name, report };
}

const NAMELESS = 'filename comes out empty: such a document is named after the template';

/** Makes the document of one record; for a report, the document that it describes. */
async function makeDocument(record: string, rendering: Rendering): Promise<Uint8Array> {
  const { plan, form, converter, signal } = rendering;
  const { template, output } = plan;
  if (form !== null) return await renderForm(form, record, rendering);
  if (!isWebFormat(template.format)) return await renderOfficeDocument(record, rendering);
  if (isWebFormat(output)) return await htmlOfTemplate(record, output, rendering);
  if (output === 'pdf' || output === 'report') return await pdfOfTemplate(record, rendering);
  if (isPicture(output)) return await pictureOfTemplate(record, rendering);
  const docx = await wordOfTemplate(record, rendering);
  if (output === 'docx') return docx;
  return await converter.convert(docx, 'docx', output, { title: template.name, signal });
}
