import { useEffect, useRef, useState } from 'preact/hooks';
import { isAbort, messageOf } from '../api/problem.ts';
import { getJob, startBatch } from '../api/render.ts';
import { listTemplates, templateFields } from '../api/templates.ts';
import type { Job, Template } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../ui/drop.tsx';
import { Empty, FaultBox, Loading } from '../ui/empty.tsx';
import { useAttempt } from '../ui/use-attempt.ts';
import { useLoad } from '../ui/use-load.ts';
import { withColumns } from './batch-rows.ts';
import { fittingColumns, matchingOf } from './columns.ts';
import { FailedRows } from './failed-rows.tsx';
import { JobCard } from './jobs.tsx';
import { canPreview, isNested, readFile, type Rows } from './records.ts';

const POLL_MS = 700;

/** Renders a document for each row of a file. */
export function Batches({ template: given }: { template: string | undefined }) {
  const { value: templates, fault: listFault } = useLoad(listTemplates);
  const [template, setTemplate] = useState(given ?? '');
  const [format, setFormat] = useState('pdf');
  const [skip, setSkip] = useState(true);
  const { file, rows, names, setNames, fault: fileFault, take } = useRecords();
  const [sent, setSent] = useState<File | null>(null);
  const { job, setJob, busy, fault: runFault, run } = useBatchJob();
  const chosen = templates?.find(({ id }) => id === template) ?? templates?.[0];
  const fault = fileFault ?? runFault;

  if (templates === null)
    return listFault === null ? <Loading label={text.loading} /> : <FaultBox message={listFault} />;
  if (templates.length === 0) {
    return (
      <Empty icon="batch" title={text.templates.none}>
        <p>{text.batches.lead}</p>
      </Empty>
    );
  }
  const start = (records: File): void => {
    if (chosen === undefined) return;
    void run(async () => {
      const renamed = await withColumns(records, names);
      setSent(renamed);
      return startBatch(chosen.id, renamed, { format, skip });
    });
  };
  return (
    <div class="screen narrow">
      <header class="screen-head">
        <h1>{text.batches.title}</h1>
      </header>
      <p class="hint">{text.batches.lead}</p>
      <BatchFields
        templates={templates}
        template={chosen}
        onTemplate={setTemplate}
        format={format}
        onFormat={setFormat}
      />
      <DropZone
        label={file === null ? text.batches.drop : file.name}
        hint={text.batches.dropHint}
        accept=".csv,.xlsx,.xls,.json,.jsonl"
        onFiles={([next]) => next !== undefined && void take(next)}
      />
      {file !== null && rows === null && fault === null && <p class="hint">{text.batches.sheet}</p>}
      {rows !== null && file !== null && (
        <Columns filename={file.name} rows={rows} template={chosen} names={names} onNames={setNames} />
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
          onClick={() => file !== null && start(file)}
        >
          {text.batches.run}
        </Button>
      </div>
      {job !== null && (
        <Outcome
          job={job}
          name={templates.find(({ id }) => id === job.template_id)?.name}
          sent={sent}
          busy={busy}
          onGone={() => setJob(null)}
          onRun={(records) => {
            void take(records);
            start(records);
          }}
        />
      )}
    </div>
  );
}

interface OutcomeProps {
  job: Job;
  /** Of the template. */
  name: string | undefined;
  /** The file with which the job was started. */
  sent: File | null;
  busy: boolean;
  onGone: () => void;
  onRun: (records: File) => void;
}

/** Shows the result of a batch, and its failed rows. */
function Outcome({ job, name, sent, busy, onGone, onRun }: OutcomeProps) {
  const inSight = useRef<HTMLDivElement>(null);
  // The result is where one looks.
  useEffect(() => inSight.current?.scrollIntoView({ block: 'nearest' }), [job.id, job.finished]);
  return (
    <div class="batch-outcome" ref={inSight}>
      {job.finished !== null && job.errors.length > 0 && sent !== null && (
        <FailedRows key={job.id} job={job} file={sent} busy={busy} onRun={onRun} />
      )}
      <ul class="job-list" aria-live="polite">
        <JobCard job={job} name={name} onGone={onGone} hasFailures={false} />
      </ul>
    </div>
  );
}

interface BatchFieldsProps {
  templates: readonly Template[];
  template: Template | undefined;
  onTemplate: (id: string) => void;
  format: string;
  onFormat: (format: string) => void;
}

function BatchFields({ templates, template, onTemplate, format, onFormat }: BatchFieldsProps) {
  return (
    <div class="form-grid">
      <label class="field">
        <span class="field-label">{text.batches.template}</span>
        <select value={template?.id ?? ''} onChange={(event) => onTemplate(event.currentTarget.value)}>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="field-label">{text.batches.format}</span>
        <select value={format} onChange={(event) => onFormat(event.currentTarget.value)}>
          {formatsOf(template?.format).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Shows the file of records, with its first rows if the browser can read them. */
function useRecords() {
  const [file, setFile] = useState<File | null>(null);
  const [rows, setRows] = useState<Rows | null>(null);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [fault, setFault] = useState<string | null>(null);
  const take = async (next: File): Promise<void> => {
    setFile(next);
    setRows(null);
    setNames(new Map());
    setFault(null);
    if (!canPreview(next.name)) return;
    try {
      setRows(await readFile(next));
    } catch {
      setFault(text.batches.unreadable(next.name));
    }
  };
  return { file, rows, names, setNames, fault, take };
}

/** Follows the job of a batch until it has ended. */
function useBatchJob() {
  const [job, setJob] = useState<Job | null>(null);
  const { busy, fault, setFault, attempt } = useAttempt();
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
  const run = (begin: () => Promise<Job>): Promise<boolean> => attempt(async () => setJob(await begin()));
  return { job, setJob, busy, fault, run };
}

interface ColumnsProps {
  filename: string;
  rows: Rows;
  template: Template | undefined;
  /** Names of fields, by the columns that are used for them. */
  names: ReadonlyMap<string, string>;
  onNames: (names: ReadonlyMap<string, string>) => void;
}

/** Shows the first rows, and lets the user choose a column for each field that they lack. */
function Columns({ filename, rows, template, names, onNames }: ColumnsProps) {
  const { value: fields } = useLoad(
    async () =>
      template === undefined ? null : templateFields(template.id, String(template.published_version)),
    template?.id ?? '',
  );
  const schema = fields ?? {};
  const { used, missing } = matchingOf(schema, rows, isNested(filename));
  const columnFor = (field: string): string =>
    Array.from(names).find(([, taken]) => taken === field)?.[0] ?? '';
  const choose = (field: string, column: string): void => {
    const others = Array.from(names).filter(([from, taken]) => taken !== field && from !== column);
    onNames(new Map(column === '' ? others : [...others, [column, field]]));
  };
  return (
    <>
      <RowsPreview rows={rows} used={[...used, ...names.keys()]} />
      {missing.length > 0 && (
        <fieldset class="card panel mapping">
          <legend>{text.batches.missing}</legend>
          <div class="form-grid">
            {missing.map((field) => (
              <label key={field} class="field">
                <code>{field}</code>
                <select
                  value={columnFor(field)}
                  onChange={(event) => choose(field, event.currentTarget.value)}
                >
                  <option value="">{text.batches.noColumn}</option>
                  {fittingColumns(schema, field, rows)
                    .filter((column) => !used.has(column))
                    .map((column) => (
                      <option key={column}>{column}</option>
                    ))}
                </select>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </>
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
