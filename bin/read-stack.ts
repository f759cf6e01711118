/** Maps the positions in a deployed function's stack trace to the sources (docs/runbook.md). */
import { text } from 'node:stream/consumers';
import { inSources } from '../lib/artifacts/stack.ts';
import { FUNCTION_NAMES, FUNCTIONS } from '../lib/functions.ts';
import { ROOT } from './service.ts';

const [name] = process.argv.slice(2);
const found = FUNCTION_NAMES.find((known) => known === name);
if (found === undefined) {
  console.error(`npm run --silent stack -- FUNCTION < LOG

  FUNCTION  ${FUNCTION_NAMES.join(', ')}
  LOG       lines of its log; the sources are those of the commit that is deployed`);
  process.exit(1);
}
process.stdout.write(await inSources(ROOT, found, FUNCTIONS[found], await text(process.stdin)));
