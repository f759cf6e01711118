/** Fields of Word (ECMA-376 part 1, 17.16), whose instruction may be spread over many elements. */

/** Those that read something outside, or have another program read it. */
const OUTSIDE = /^["\s]*(?:INCLUDE|IMPORT|LINK|DDE|DATABASE|RD\b)/i;
const FILE_NAME = /^\s*FILENAME\b/i;
/** Shows the folder too. */
const WITH_PATH = /\\p\b/gi;

/** An instruction that shows no folder and reads nothing; empty where nothing is left of it, and its result is text. */
export function harmlessInstruction(instruction: string): string {
  if (OUTSIDE.test(instruction)) return '';
  return FILE_NAME.test(instruction) ? instruction.replace(WITH_PATH, '') : instruction;
}

/** The fields that are open, from the outermost, each with the places in the output where its instruction stands. */
export class Fields {
  readonly #open: { at: number; text: string }[][] = [];

  begin(): void {
    this.#open.push([]);
  }

  /** A piece of an instruction, that is about to be written. */
  piece(at: number, text: string): void {
    this.#open.at(-1)?.push({ at, text });
  }

  /**
   * The instruction of the innermost field is whole.
   *
   * @param replace is told what stands where now, in order
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
