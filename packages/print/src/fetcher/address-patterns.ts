import { RE2JS } from 're2js';

/** Returns whether an address matches. */
export type MatchesAddress = (url: URL) => boolean;

/** Maximum characters of a pattern. */
const MAX_PATTERN = 1_000;
/** Maximum instructions of all patterns of a request together; an ordinary one has about thirty. */
const MAX_INSTRUCTIONS = 2_000;
/** Maximum characters of an address; a longer one does not match. */
const MAX_ADDRESS = 8_192;

/**
 * Compiles the patterns of one request that restrict headers to addresses. Callers write them, so the engine is RE2:
 * its time is linear in the address, and there are no lookarounds and no back-references.
 */
export class AddressPatterns {
  #left = MAX_INSTRUCTIONS;

  /**
   * @returns whether the pattern occurs in an address without its fragment
   * @throws InvalidPattern
   */
  compile(pattern: string): MatchesAddress {
    if (pattern.length > MAX_PATTERN) throw new InvalidPattern(`it is longer than ${MAX_PATTERN} characters`);
    const compiled = compiledOf(pattern);
    this.#left -= compiled.programSize();
    if (this.#left < 0) throw new InvalidPattern('the patterns of the request are too large together');
    return ({ href }) => {
      const [address = ''] = href.split('#', 1);
      return address.length <= MAX_ADDRESS && compiled.test(address);
    };
  }
}

/** The message says what is wrong with a pattern. */
export class InvalidPattern extends Error {
  override readonly name = 'InvalidPattern';
}

function compiledOf(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new InvalidPattern(error instanceof Error ? error.message : String(error));
  }
}
