import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import type { Job } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { FaultBox } from '../ui/empty.tsx';
import { withRows } from './batch-rows.ts';
import { Failures } from './jobs.tsx';
import { canPreview, isText } from './records.ts';

interface FailedRowsProps {
  job: Job;
  file: File;
  busy: boolean;
  onRun: (records: File) => void;
}

/** Shows why rows failed, and the rows themselves: to be downloaded, or corrected as text, and rendered again. */
export function FailedRows({ job, file, busy, onRun }: FailedRowsProps) {
  const [records, setRecords] = useState<File | null>(null);
  const [content, setContent] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const isEditable = isText(file.name);
  const isReadable = canPreview(file.name);
  useEffect(() => {
    const failed = job.errors.map(({ record }) => record);
    const take = async (): Promise<void> => {
      const taken = await withRows(file, failed);
      if (isEditable) setContent(await taken.text());
      setRecords(taken);
    };
    if (isReadable) take().catch((error: unknown) => setFault(messageOf(error)));
  }, [job.id]);
  const current = (): File | null =>
    records !== null && isEditable ? new File([content], file.name, { type: file.type }) : records;
  return (
    <section class="card panel failed-rows" aria-label={text.again.rows}>
      <h2>{text.jobs.failed(job.failed)}</h2>
      {job.failed > job.errors.length && <p class="hint">{text.again.listed(job.errors.length)}</p>}
      <Failures of={job.errors} />
      {fault !== null && <FaultBox message={fault} />}
      <p class="hint">
        {!isReadable ? text.again.sheet : isEditable ? text.again.lead : text.again.sheetLead}
      </p>
      {isEditable && (
        <textarea
          class="again-rows"
          aria-label={text.again.rows}
          rows={Math.min(12, job.errors.length + 2)}
          spellcheck={false}
          value={content}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      )}
      {isReadable && (
        <div class="row actions-row">
          <Button
            icon="refresh"
            busy={busy}
            disabled={records === null}
            onClick={() => {
              const rows = current();
              if (rows !== null) onRun(rows);
            }}
          >
            {text.again.run(job.errors.length)}
          </Button>
          <Button
            icon="download"
            disabled={records === null}
            onClick={() => {
              const rows = current();
              if (rows !== null) download(rows, file.name.replace(/(\.\w+)$/, '-failed$1'));
            }}
          >
            {text.again.download}
          </Button>
        </div>
      )}
    </section>
  );
}
