import { PlatenError } from '@platen/client';

/** What is answered instead of a document: a status and a sentence, as Gotenberg does. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Status by status: what is invalid is 400 there, and what took too long 503. */
const STATUSES: Readonly<Record<number, number>> = { 0: 503, 422: 400, 504: 503 };

/** What the service refused, in Gotenberg's words. @throws what is no refusal */
export function refusedBy(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (!(error instanceof PlatenError)) throw error;
  const faults = error.errors.map((fault) => fault.message).filter((text) => !error.message.includes(text));
  return new Refused(STATUSES[error.status] ?? error.status, [error.message, ...faults].join('\n'));
}
