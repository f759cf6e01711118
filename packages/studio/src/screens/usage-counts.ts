import type { Job } from '@platen/client';

/** The usage of a tenant, as the lists of `/v1` report it. */

/** The jobs of one day or of one operation, added up. */
export interface JobCounts {
  /** The day as `YYYY-MM-DD` in local time, or the operation. */
  name: string;
  jobs: number;
  /** Number of documents. */
  done: number;
  /** Number of failed records, and of jobs that failed as a whole. */
  failed: number;
}

/** Returns the jobs of each day from the oldest job's to `today`, newest first; days without a job have zeros. */
export function jobsByDay(jobs: readonly Job[], today: Date): JobCounts[] {
  const counted = new Map(
    countJobs(jobs, ({ created }) => dayOf(new Date(created))).map((day) => [day.name, day]),
  );
  const oldest = [...counted.keys()].toSorted()[0];
  if (oldest === undefined) return [];
  const days: JobCounts[] = [];
  // The clock of the service may be ahead of this one.
  const day = new Date(Math.max(today.getTime(), ...jobs.map(({ created }) => Date.parse(created))));
  while (dayOf(day) >= oldest) {
    const name = dayOf(day);
    days.push(counted.get(name) ?? { name, jobs: 0, done: 0, failed: 0 });
    day.setDate(day.getDate() - 1);
  }
  return days;
}

/** Returns the jobs of each operation, those with the most documents first. */
export function jobsByOperation(jobs: readonly Job[]): JobCounts[] {
  return countJobs(jobs, ({ operation }) => operation).toSorted(
    (a, b) => b.done - a.done || b.jobs - a.jobs || a.name.localeCompare(b.name),
  );
}

function countJobs(jobs: readonly Job[], nameOf: (job: Job) => string): JobCounts[] {
  const counts = new Map<string, JobCounts>();
  for (const job of jobs) {
    const name = nameOf(job);
    const before = counts.get(name) ?? { name, jobs: 0, done: 0, failed: 0 };
    counts.set(name, {
      name,
      jobs: before.jobs + 1,
      done: before.done + job.done,
      failed: before.failed + (job.failed === 0 && job.state === 'failed' ? 1 : job.failed),
    });
  }
  return [...counts.values()];
}

/** Returns a day in local time. */
function dayOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}

/** Returns the total bytes of files. */
export const bytesOf = (files: readonly { bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);
