import { Token } from 'aws-cdk-lib';
import { SwitchError } from './settings.ts';

/** Bytes of names and values of a function's environment variables together (Lambda quotas). */
const MOST_BYTES = 4096;
/** Bytes of a name that CloudFormation makes, or of an ARN with one: on average, in a stack with a name of usual length. */
const BYTES_OF_NAME = 80;
/** Room for both of them to be longer. */
const RESERVE = 200;

/**
 * Refuses variables that Lambda would refuse in the middle of a deployment.
 *
 * @param name of the function, for the message
 * @throws SwitchError
 */
export function refuseLongEnvironment(name: string, environment: Readonly<Record<string, string>>): void {
  const sizes = Object.entries(environment).map(([variable, value]) => ({
    variable,
    bytes: variable.length + (Token.isUnresolved(value) ? BYTES_OF_NAME : Buffer.byteLength(value)),
  }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total + RESERVE <= MOST_BYTES) return;
  const longest = sizes
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ variable, bytes }) => `${variable} (${bytes})`);
  throw new SwitchError(
    `The environment variables of the function ${name} have about ${total} bytes, and Lambda takes ${MOST_BYTES}. ` +
      `Shorten the switches of the longest: ${longest.join(', ')}.`,
  );
}
