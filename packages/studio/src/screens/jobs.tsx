import { useEffect } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { deleteJob, jobResult, listJobs } from '../api/render.ts';
import { listTemplates } from '../api/templates.ts';
import type { Job } from '../api/types.ts';
import { notify } from '../state/notices.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { Empty, FaultBox, Loading } from '../ui/empty.tsx';
import { operationOf } from '../ui/operation.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import { useLoad } from '../ui/use-load.ts';
import { durationOf, timeOf } from '../ui/when.ts';

const POLL_MS = 1_500;

/** Lists the jobs of `Prefer: respond-async`, newest first. */
export function Jobs() {
  const { value: jobs, fault, reload } = useLoad(listJobs);
  // A token for jobs alone may not read templates: their names are left out then.
  const { value: templates } = useLoad(listTemplates);
  const names = new Map(templates?.map(({ id, name }) => [id, name]));
  const running = jobs?.some(({ finished }) => finished === null) === true;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{text.jobs.title}</h1>
        <Button icon="refresh" onClick={reload}>
          {text.jobs.refresh}
        </Button>
      </header>
      {fault !== null && <FaultBox message={fault} />}
      {jobs === null && fault === null && <Loading label={text.loading} />}
      {jobs?.length === 0 && (
        <Empty icon="jobs" title={text.jobs.none}>
          <p>{text.jobs.noneLead}</p>
        </Empty>
      )}
      <ul class="job-list">
        {jobs?.map((job) => (
          <JobCard key={job.id} job={job} name={names.get(job.template_id ?? '')} onGone={reload} />
        ))}
      </ul>
    </div>
  );
}

interface JobCardProps {
  job: Job;
  /** The name of the template that it renders. */
  name: string | undefined;
  onGone?: () => void;
  /** Whether the reasons of failed rows are part of it. */
  hasFailures?: boolean;
}

/** Shows the state of a job, with the available actions. */
export function JobCard({ job, name, onGone, hasFailures = true }: JobCardProps) {
  const { operation, created, by, started, finished, total, done, failed, errors, problem } = job;
  const outcome = outcomeOf(job);
  return (
    <li class="card job">
      <span class="row job-head">
        <span class={`badge ${outcome}`}>{text.jobs.states[outcome]}</span>
        <strong>{name ?? operationOf(operation)}</strong>
        {name !== undefined && <span class="hint">{operationOf(operation)}</span>}
        <time class="hint" dateTime={created}>
          {timeOf(created)}
        </time>
        {by !== null && <bdi class="hint by">{by}</bdi>}
        <span class="space" />
        <JobActions job={job} onGone={onGone} />
      </span>
      {total !== null && (
        <span class="job-progress">
          <progress
            max={Math.max(1, total)}
            value={done + failed}
            aria-label={text.jobs.progress(done, total)}
          />
          <span class="hint">
            {text.jobs.progress(done, total)}
            {failed > 0 && ` · ${text.jobs.failed(failed)}`}
            {started !== null && finished !== null && ` · ${durationOf(started, finished)}`}
          </span>
        </span>
      )}
      {problem !== null && <FaultBox message={problem.detail} />}
      {hasFailures && errors.length > 0 && (
        <details>
          <summary>{text.jobs.failures(errors.length)}</summary>
          <Failures of={errors} />
        </details>
      )}
    </li>
  );
}

/** Returns the displayed state of a job: a successful one may lack failed rows (`on_error: skip`). */
function outcomeOf({ state, done, failed }: Job): keyof typeof text.jobs.states {
  if (state !== 'succeeded' || failed === 0) return state;
  return done === 0 ? 'failed' : 'partly';
}

function JobActions({
  job: { id, state, finished },
  onGone,
}: {
  job: Job;
  onGone: (() => void) | undefined;
}) {
  const { busy, attempt } = useAttempt((error) => notify('fault', messageOf(error)));
  return (
    <>
      {state === 'succeeded' && (
        <Button
          icon="download"
          busy={busy}
          onClick={() =>
            attempt(async () => {
              const { blob, filename } = await jobResult(id);
              download(blob, filename);
            })
          }
        >
          {text.download}
        </Button>
      )}
      <Button
        kind="quiet"
        icon={finished === null ? 'close' : 'trash'}
        label={finished === null ? text.jobs.cancel : text.jobs.delete}
        disabled={busy}
        onClick={() =>
          attempt(async () => {
            await deleteJob(id);
            onGone?.();
          })
        }
      />
    </>
  );
}

/** Shows the reason of each failed row. */
export function Failures({ of: errors }: { of: Job['errors'] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={text.jobs.failures(errors.length)}>
      <table class="table">
        <thead>
          <tr>
            <th>{text.jobs.row}</th>
            <th>{text.jobs.why}</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ record, message }) => (
            <tr key={record}>
              <td>{record + 1}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
