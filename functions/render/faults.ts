import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { DocumentObserver } from '@platen/print/browser-options';
import type { FailOn } from '@platen/contract/browser-options';

/** Faults of documents that a call wants to fail on (I-53): `fail_on`. */

/** Most faults in one answer. */
const MAX_FAULTS = 20;
/** Most characters of an address or of a script's message. */
const MAX_CHARACTERS = 300;

/** The faults that are reported for one document. */
export class DocumentFaults {
  readonly #failOn: ReadonlySet<FailOn>;
  readonly #faults = new Map<string, FieldFault>();

  constructor(failOn: readonly FailOn[]) {
    this.#failOn = new Set(failOn);
  }

  /** The observer of the document; null if none is needed. */
  get observer(): DocumentObserver | null {
    if (this.#failOn.size === 0) return null;
    return {
      failed: (address, status) => {
        const shown = address.slice(0, MAX_CHARACTERS);
        if (status !== null && this.#failOn.has('http'))
          this.#add(`http: ${shown} is answered with ${status}`);
        else if (this.#failOn.has('resources')) this.#add(`resources: ${shown} cannot be had`);
      },
      message: this.#failOn.has('console')
        ? (text) => this.#add(`console: ${text.slice(0, MAX_CHARACTERS)}`)
        : null,
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
    throw new PlatenError('document_faulty', `${faults.map(({ message }) => message).join('; ')}.`, {
      faults,
    });
  }
}
