import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { DocumentObserver } from '@platen/print';
import type { FailOn } from '@platen/contract/options';

/** Faults of documents that a call wants to fail on (I-53): `fail_on`. */

/** Most faults in one answer. */
const MAX_FAULTS = 20;
/** Most characters of an address or of a script's message. */
const MAX_CHARACTERS = 300;

/** Decides about the response to the request of an address. */
type IsFault = (address: string, status: number) => boolean;

/** The faults that are reported for one document. */
export class DocumentFaults {
  readonly #failOn: ReadonlySet<FailOn>;
  readonly #isFault: IsFault | null;
  readonly #faults = new Map<string, FieldFault>();

  constructor(failOn: readonly FailOn[]) {
    this.#failOn = new Set(failOn);
    this.#isFault = faultyResponse(failOn);
  }

  /** The observer of the document; null if none is needed. */
  get observer(): DocumentObserver | null {
    const hasResources = this.#failOn.has('resources');
    const hears = this.#failOn.has('console');
    if (!hasResources && !hears && this.#isFault === null) return null;
    return {
      failed: (address, status) => {
        const shown = address.slice(0, MAX_CHARACTERS);
        if (status !== null && this.#isFault !== null) {
          if (this.#isFault(address, status)) this.#add(`http: ${shown} is answered with ${status}`);
        } else if (hasResources) this.#add(`resources: ${shown} cannot be had`);
      },
      message: hears ? (text) => this.#add(`console: ${text.slice(0, MAX_CHARACTERS)}`) : null,
    };
  }

  #add(message: string): void {
    if (this.#faults.size < MAX_FAULTS)
      this.#faults.set(message, { field: 'render_options.fail_on', message });
  }

  /** @throws PlatenError `document_faulty` with each reported fault */
  check(): void {
    const faults = [...this.#faults.values()];
    if (faults.length === 0) return;
    throw faulty(faults);
  }
}

function faulty(faults: FieldFault[]): PlatenError {
  return new PlatenError('document_faulty', `${faults.map(({ message }) => message).join('; ')}.`, {
    faults,
  });
}

/** Returns what decides about responses for resources; null if none is a fault. */
function faultyResponse(failOn: readonly FailOn[]): IsFault | null {
  const wanted = failOn.flatMap((entry): IsFault[] => {
    if (entry === 'http') return [(_, status) => status >= 400];
    if (typeof entry !== 'object' || entry.http === undefined) return [];
    const { http, except = [] } = entry;
    return [(address, status) => isAmong(http, status) && !except.some((host) => isOf(address, host))];
  });
  return wanted.length === 0 ? null : (address, status) => wanted.some((isFault) => isFault(address, status));
}

/**
 * Returns the decision whether a page may be printed that is answered with an error.
 *
 * @returns a function that throws PlatenError `document_faulty`; undefined for the default: no such page is printed
 */
export function checkOfPage(
  failOn: readonly FailOn[],
): ((address: string, status: number) => void) | undefined {
  const wanted = failOn.flatMap((entry) => (typeof entry === 'object' && entry.page ? [entry.page] : []));
  if (wanted.length === 0) return undefined;
  return (address, status) => {
    if (!wanted.some((statuses) => isAmong(statuses, status))) return;
    const message = `page: ${address.slice(0, MAX_CHARACTERS)} is answered with ${status}`;
    throw faulty([{ field: 'render_options.fail_on', message }]);
  };
}

/** Whether a status is one of a list such as `404`, `5xx`. */
function isAmong(statuses: readonly string[], status: number): boolean {
  return statuses.some((wanted) => wanted === String(status) || wanted === `${Math.trunc(status / 100)}xx`);
}

function isOf(address: string, host: string): boolean {
  const name = URL.parse(address)?.hostname ?? '';
  return name === host.toLowerCase() || name.endsWith(`.${host.toLowerCase()}`);
}
