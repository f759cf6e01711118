import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { type Client, type Fields, isClear, NoAnswer } from './client.ts';
import { type Mark, newMark, pdfFault } from './documents.ts';
import { batchFault } from './requests.ts';

/** Writers that remember what was acknowledged: templates, their deletion, and jobs. */

const JOB_DEADLINE_MS = 300_000;
/** Requests for one job until its end or its document is known, while the service is killed. */
const POLL_MS = 500;

interface Job {
  state: string;
  problem: { code: string; status: number } | null;
}

export class Ledger {
  readonly #client: Client;
  readonly #random: Random;
  /** Words of the stored templates. */
  readonly #templates = new Map<string, string>();
  readonly #deleted: string[] = [];
  /** Deletions that were not answered: the template may be there or not. */
  readonly #unknown = new Set<string>();
  acknowledged = 0;

  constructor(client: Client, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  /** Stores a template, or deletes one that was stored. */
  async write(): Promise<void> {
    const [oldest] = this.#templates.keys();
    if (oldest !== undefined && this.#templates.size > 20 && this.#random.chance(0.5)) {
      const word = this.#templates.get(oldest) ?? '';
      this.#templates.delete(oldest);
      this.#unknown.add(oldest);
      await this.#client.send('delete', `/v1/template/${oldest}`, { method: 'DELETE', expected: 204 });
      this.#unknown.delete(oldest);
      this.#deleted.push(oldest);
      this.acknowledged += 1;
      this.#client.tally.add('delete', word === '' ? 'wrong' : 'right');
      return;
    }
    const { word } = newMark(this.#random);
    const fields: Fields = {
      file_data: [`<p>${word} {{ mark }}`, 'a.html'],
      template_data: JSON.stringify({ name: word, format: 'html' }),
    };
    const { body } = await this.#client.send('template', '/v1/template', { fields });
    const { id } = JSON.parse(body.toString()) as { id: string };
    this.#templates.set(id, word);
    this.acknowledged += 1;
    this.#client.tally.add('template', 'right');
  }

  /** Starts a job with one or several documents, and waits for its end. */
  async job(): Promise<void> {
    const marks = Array.from({ length: this.#random.pick([1, 5]) }, () => newMark(this.#random));
    const records = marks.map(({ word }) => ({ mark: word }));
    const kind = marks.length === 1 ? 'job' : 'job of a batch';
    const { body } = await this.#client.send(
      kind,
      marks.length === 1 ? '/v1/render/pdf' : '/v1/render/pdf/batch',
      {
        fields: {
          file_data: ['<p>{{ mark }}', 'a.html'],
          render_data: JSON.stringify(marks.length === 1 ? records[0] : records),
        },
        headers: { prefer: 'respond-async' },
        expected: 202,
      },
    );
    const { id } = JSON.parse(body.toString()) as { id: string };
    this.acknowledged += 1;
    const ended = await this.#ended(kind, id);
    if (ended === null) return;
    const { tally } = this.#client;
    const { state, problem } = ended;
    if (state === 'succeeded') await this.#judge(kind, id, marks);
    else if (state === 'failed' && problem !== null && isClear(problem.status, problem.code))
      tally.add(kind, 'clear error', `failed: ${problem.code}`);
    else tally.add(kind, 'unclear error', `${id} ${JSON.stringify(ended)}`);
  }

  async #ended(kind: string, id: string): Promise<Job | null> {
    for (const end = Date.now() + JOB_DEADLINE_MS; Date.now() < end; await sleep(POLL_MS)) {
      const job = await this.#get<Job>(`/v1/jobs/${id}`, kind, id);
      if (job === 'gone') return null;
      if (job !== null && job.state !== 'queued' && job.state !== 'running') return job;
    }
    this.#client.tally.add(kind, 'hung', `the job ${id} does not end`);
    return null;
  }

  async #judge(kind: string, id: string, marks: readonly Mark[]): Promise<void> {
    for (const end = Date.now() + JOB_DEADLINE_MS; Date.now() < end; await sleep(POLL_MS)) {
      const result = await this.#get<Buffer>(`/v1/jobs/${id}/result`, kind, id, true);
      if (result === 'gone') return;
      if (result === null) continue;
      const fault =
        marks.length === 1 ? await pdfFault(result, [marks[0]?.word ?? '']) : await batchFault(result, marks);
      this.#client.tally.add(kind, fault === '' ? 'right' : 'wrong', `${id} ${fault}`);
      return;
    }
    this.#client.tally.add(kind, 'hung', `the result of the job ${id}`);
  }

  /** Null without an answer; it is counted as lost when it is gone. */
  async #get<T>(path: string, kind: string, id: string, raw = false): Promise<T | 'gone' | null> {
    try {
      const { status, body } = await this.#client.ask(path);
      if (status === 404) {
        this.#client.tally.add(kind, 'lost', `${id}: ${path} is 404`);
        return 'gone';
      }
      return status === 200 ? ((raw ? body : JSON.parse(body.toString())) as T) : null;
    } catch {
      return null;
    }
  }

  /** Looks for everything that was acknowledged. @param all not only what was written last */
  async verify(all: boolean): Promise<void> {
    const { tally } = this.#client;
    const stored = [...this.#templates];
    for (const [id, word] of all ? stored : stored.slice(-20)) {
      const { status, body } = await this.#client.ask(`/v1/template/file/${id}`);
      if (!this.#templates.has(id)) continue;
      if (status === 404) tally.add('template', 'lost', id);
      else if (status === 200 && !body.toString().includes(word)) tally.add('template', 'wrong', id);
      else if (status !== 200 && all)
        tally.add('template', 'unclear error', `${id} ${status} ${body.toString()}`);
    }
    for (const id of all ? this.#deleted : this.#deleted.slice(-5)) {
      const { status } = await this.#client.ask(`/v1/template/${id}`);
      if (status === 200) tally.add('delete', 'lost', `${id} is there again`);
    }
  }
}

/** Does something again and again until it is told to stop. */
export async function repeat(
  work: () => Promise<void>,
  open: () => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await open();
    if (isOver()) return;
    if (!(await once(work))) await sleep(100);
  }
}

/** @returns whether there was an answer; what has none is counted */
export async function once(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}
