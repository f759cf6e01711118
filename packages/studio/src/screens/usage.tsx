import type { Limit } from '../api/limits.ts';
import { listFonts, listPartials, listTranslations } from '../api/library.ts';
import { listNewestJobs, MAX_JOBS } from '../api/render.ts';
import { listTemplates } from '../api/templates.ts';
import type { Job } from '../api/types.ts';
import { hasScope, limits } from '../state/session.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { operationOf } from '../ui/operation.ts';
import { useLoad } from '../ui/use-load.ts';
import { timeOf, weekdayOf } from '../ui/when.ts';
import { bytesOf, type JobCounts, jobsByDay, jobsByOperation } from './usage-counts.ts';

const words = text.usage;

/** Shows the storage of the tenant, the documents of its jobs by day, and the remaining limits of the token. */
export function Usage() {
  const stored = useLoad(loadStored);
  const jobs = useLoad(loadJobs);
  const fault = stored.fault ?? jobs.fault;
  return (
    <div class="screen narrow usage">
      <header class="screen-head">
        <h1>{words.title}</h1>
        <Button
          icon="refresh"
          onClick={() => {
            stored.reload();
            jobs.reload();
          }}
        >
          {text.jobs.refresh}
        </Button>
      </header>
      {fault !== null && <FaultBox message={fault} />}
      {(stored.loading || jobs.loading) && fault === null && <Loading label={text.loading} />}
      {jobs.value !== null && <MadeByJobs jobs={jobs.value} />}
      {stored.value !== null && (
        <section class="card panel">
          <h2>{words.stored}</h2>
          <Figures of={stored.value} labels={words.storedFigures} />
        </section>
      )}
      {!stored.loading && !jobs.loading && <Limits of={limits.value} />}
    </div>
  );
}

/** The stored resources; null for a token that may not see them. */
async function loadStored() {
  if (!hasScope('templates:read')) return null;
  const [templates, partials, fonts, translations] = await Promise.all([
    listTemplates(),
    listPartials(),
    listFonts(),
    listTranslations(),
  ]);
  return {
    templates: templates.length,
    versions: templates.reduce((sum, { latest_version }) => sum + latest_version, 0),
    partials: partials.length,
    fonts: fonts.length,
    translations: translations.length,
    kilobytes: Math.ceil(bytesOf([...partials, ...fonts]) / 1000),
  };
}

/** The newest jobs; null for a token that may not see any. */
const loadJobs = async (): Promise<Job[] | null> =>
  hasScope('render') || hasScope('pdf') ? await listNewestJobs() : null;

function MadeByJobs({ jobs }: { jobs: readonly Job[] }) {
  const operations = jobsByOperation(jobs);
  const sum = (member: 'done' | 'failed'): number =>
    operations.reduce((total, counts) => total + counts[member], 0);
  return (
    <section class="card panel">
      <h2>{words.jobs}</h2>
      <Figures
        of={{ jobs: jobs.length, documents: sum('done'), failed: sum('failed') }}
        labels={words.jobFigures}
      />
      {jobs.length > 0 && (
        <>
          <Counts of={jobsByDay(jobs, new Date())} name={words.day} nameOf={weekdayOf} />
          <Counts of={operations} name={words.operation} nameOf={operationOf} />
        </>
      )}
      <p class="hint">{jobs.length === MAX_JOBS ? words.newest(MAX_JOBS) : words.kept}</p>
    </section>
  );
}

interface FiguresProps<Name extends string> {
  of: Readonly<Record<Name, number>>;
  labels: Readonly<Record<Name, string>>;
}

function Figures<Name extends string>({ of: values, labels }: FiguresProps<Name>) {
  return (
    <ul class="figures">
      {(Object.keys(labels) as Name[]).map((name) => (
        <li key={name}>
          <strong>{values[name].toLocaleString()}</strong>
          <span>{labels[name]}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shows what remains for the minute and the month, after the requests that this screen has just sent. */
function Limits({ of: limits }: { of: readonly Limit[] }) {
  return (
    <section class="card panel limits">
      <h2>{words.limits}</h2>
      {limits.length === 0 && <p>{words.unlimited}</p>}
      {limits.map(({ name, allowed, left, resets }) => (
        <div key={name} class="job-progress">
          <strong>{words.windows(name)}</strong>
          <progress max={Math.max(1, allowed)} value={allowed - left} aria-label={words.windows(name)} />
          <span class="hint">{words.left(left, allowed, timeOf(new Date(resets).toISOString()))}</span>
        </div>
      ))}
      <p class="hint">{words.counted}</p>
    </section>
  );
}

interface CountsProps {
  of: readonly JobCounts[];
  name: string;
  nameOf: (name: string) => string;
}

/** A table with a bar for each row, whose length is its share of the largest value. */
function Counts({ of: counts, name, nameOf }: CountsProps) {
  const most = Math.max(1, ...counts.map(({ done, failed }) => done + failed));
  const length = (count: number) => ({ inlineSize: `${(count / most) * 100}%` });
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={name}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" class="number">
              {words.columns.jobs}
            </th>
            <th scope="col" class="number">
              {words.columns.documents}
            </th>
            <th scope="col" class="number">
              {words.columns.failed}
            </th>
            <td class="bars" />
          </tr>
        </thead>
        <tbody>
          {counts.map(({ name: row, jobs, done, failed }) => (
            <tr key={row}>
              <th scope="row">{nameOf(row)}</th>
              <td class="number">{jobs.toLocaleString()}</td>
              <td class="number">{done.toLocaleString()}</td>
              <td class="number">{failed.toLocaleString()}</td>
              <td class="bars">
                <span class="bar">
                  <span style={length(done)} />
                  <span class="failed" style={length(failed)} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
