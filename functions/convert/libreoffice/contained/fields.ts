/** Fields of Word (ECMA-376 part 1, 17.16), whose instruction may be spread over many elements. */

/** Instructions that read something outside, or have another program read it. */
const OUTSIDE = /^["\s]*(?:INCLUDE|IMPORT|LINK|DDE|DATABASE|RD\b)/i;
const FILE_NAME = /^\s*FILENAME\b/i;
/** The switch that shows the folder as well. */
const WITH_PATH = /\\p\b/gi;

/**
 * Returns the instruction without anything that shows a folder or reads something outside; empty if nothing
 * is left, so that the result is plain text.
 */
export function harmlessInstruction(instruction: string): string {
  if (OUTSIDE.test(instruction)) return '';
  return FILE_NAME.test(instruction) ? instruction.replace(WITH_PATH, '') : instruction;
}

/** The open fields, outermost first, each with the places of its instruction in the output. */
export class Fields {
  readonly #open: { at: number; text: string }[][] = [];

  begin(): void {
    this.#open.push([]);
  }

  /** Adds a piece of an instruction that is about to be written. */
  piece(at: number, text: string): void {
    this.#open.at(-1)?.push({ at, text });
  }

  /**
   * Ends the instruction of the innermost field.
   *
   * @param replace is called with the new text for each place, in order
   */
  settle(replace: (at: number, text: string) => void): void {
    const pieces = this.#open.at(-1) ?? [];
    const whole = pieces.map(({ text }) => text).join('');
    const harmless = harmlessInstruction(whole);
    if (harmless !== whole) {
      for (const [index, { at }] of pieces.entries()) replace(at, index === 0 ? harmless : '');
    }
    pieces.length = 0;
  }

  end(): void {
    this.#open.pop();
  }
}
