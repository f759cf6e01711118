import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { DocumentObserver } from '@platen/print/browser-options';
import type { FailOn } from '@platen/contract/browser-options';

/** What made documents faulty that a call wants to be without (I-53): `fail_on`. */

/** Faults of one answer. */
const MOST_FAULTS = 20;
/** Characters of an address or of what a script says. */
const MOST_CHARACTERS = 300;

/** What is heard of one document. */
export class DocumentFaults {
  readonly #failOn: ReadonlySet<FailOn>;
  readonly #faults = new Map<string, FieldFault>();

  constructor(failOn: readonly FailOn[]) {
    this.#failOn = new Set(failOn);
  }

  /** Who listens; null: nobody has to. */
  get observer(): DocumentObserver | null {
    if (this.#failOn.size === 0) return null;
    return {
      failed: (address, status) => {
        const shown = address.slice(0, MOST_CHARACTERS);
        if (status !== null && this.#failOn.has('http'))
          this.#add(`http: ${shown} is answered with ${status}`);
        else if (this.#failOn.has('resources')) this.#add(`resources: ${shown} cannot be had`);
      },
      message: this.#failOn.has('console')
        ? (text) => this.#add(`console: ${text.slice(0, MOST_CHARACTERS)}`)
        : null,
    };
  }

  #add(message: string): void {
    if (this.#faults.size < MOST_FAULTS)
      this.#faults.set(message, { field: 'render_options.fail_on', message });
  }

  /** @throws PlatenError `document_faulty` naming each fault that was heard of */
  check(): void {
    const faults = [...this.#faults.values()];
    if (faults.length === 0) return;
    throw new PlatenError('document_faulty', `${faults.map(({ message }) => message).join('; ')}.`, {
      faults,
    });
  }
}
