import { useEffect, useState } from 'preact/hooks';
import { isAbort, messageOf } from '../api/problem.ts';
import { getJob, startBatch } from '../api/render.ts';
import { listTemplates, templateFields } from '../api/templates.ts';
import type { Job } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useLoad } from '../ui/use-load.ts';
import { JobCard } from './jobs.tsx';
import { canPreview, readRows, type Rows } from './records.ts';

const POLL_MS = 700;
/** Of larger files only the beginning is looked at. */
const MAX_PREVIEW_BYTES = 8 * 1024 * 1024;

/** A document for each row of a file. */
export function Batches({ template: given }: { template: string | undefined }) {
  const { value: templates, fault: listFault } = useLoad(listTemplates);
  const [template, setTemplate] = useState(given ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [rows, setRows] = useState<Rows | null>(null);
  const [format, setFormat] = useState('pdf');
  const [skip, setSkip] = useState(true);
  const [job, setJob] = useState<Job | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const chosen = templates?.find(({ id }) => id === template) ?? templates?.[0];
  const { value: fields } = useLoad(
    async () => (chosen === undefined ? null : templateFields(chosen.id, String(chosen.published_version))),
    chosen?.id ?? '',
  );

  useEffect(() => {
    if (job === null || job.finished !== null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      getJob(job.id, controller.signal).then(setJob, (error: unknown) => {
        if (!isAbort(error)) setFault(messageOf(error));
      });
    }, POLL_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [job]);

  const take = async (next: File): Promise<void> => {
    setFile(next);
    setRows(null);
    setFault(null);
    if (!canPreview(next.name)) return;
    try {
      setRows(readRows(next.name, await beginning(next)));
    } catch {
      setFault(text.batches.unreadable(next.name));
    }
  };
  const run = async (): Promise<void> => {
    if (chosen === undefined || file === null) return;
    setBusy(true);
    setFault(null);
    try {
      setJob(await startBatch(chosen.id, file, { format, skip }));
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };

  if (templates === null)
    return listFault === null ? <Loading label={text.loading} /> : <FaultBox message={listFault} />;
  const wanted = Object.keys(fields?.properties ?? {});
  const missing = rows === null ? [] : wanted.filter((name) => !rows.columns.includes(name));
  return (
    <div class="screen narrow">
      <header class="screen-head">
        <h1>{text.batches.title}</h1>
      </header>
      <p class="hint">{text.batches.lead}</p>
      <div class="form-grid">
        <label class="field">
          <span class="field-label">{text.batches.template}</span>
          <select value={chosen?.id ?? ''} onChange={(event) => setTemplate(event.currentTarget.value)}>
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span class="field-label">{text.batches.format}</span>
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            {formatsOf(chosen?.format).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <DropZone
        label={file === null ? text.batches.drop : file.name}
        hint={text.batches.dropHint}
        accept=".csv,.xlsx,.xls,.json,.jsonl"
        onFiles={([next]) => next !== undefined && void take(next)}
      />
      {file !== null && rows === null && fault === null && <p class="hint">{text.batches.sheet}</p>}
      {rows !== null && <RowsPreview rows={rows} used={wanted} />}
      {missing.length > 0 && (
        <p class="field-notes">
          <span class="badge missing">{text.batches.missing}</span>
          {missing.map((name) => (
            <code key={name}> {name}</code>
          ))}
        </p>
      )}
      <label class="check">
        <input type="checkbox" checked={skip} onChange={(event) => setSkip(event.currentTarget.checked)} />
        {text.batches.skip}
      </label>
      {fault !== null && <FaultBox message={fault} />}
      <div class="row">
        <Button
          kind="primary"
          icon="play"
          busy={busy}
          disabled={file === null || chosen === undefined}
          onClick={run}
        >
          {text.batches.run}
        </Button>
      </div>
      {job !== null && (
        <ul class="job-list" aria-live="polite">
          <JobCard job={job} onGone={() => setJob(null)} />
        </ul>
      )}
    </div>
  );
}

function RowsPreview({ rows: { columns, rows, count }, used }: { rows: Rows; used: readonly string[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={text.batches.preview}>
      <table class="table">
        <caption>
          {count === null ? text.batches.firstRows(rows.length) : text.batches.rows(rows.length, count)}
        </caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name}>
                {name} {used.includes(name) && <span class="badge published">{text.batches.used}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((name) => (
                <td key={name}>{cellText(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatsOf(format: string | undefined): readonly string[] {
  if (format === undefined || format === 'html') return ['pdf', 'html', 'docx', 'odt'];
  return ['pdf', format];
}

/** Of a CSV file that is large, the lines that are there whole. */
async function beginning(file: File): Promise<string> {
  if (file.size <= MAX_PREVIEW_BYTES || !/\.(?:csv|jsonl|ndjson)$/i.test(file.name)) return file.text();
  const part = await file.slice(0, 256 * 1024).text();
  return part.slice(0, part.lastIndexOf('\n'));
}
