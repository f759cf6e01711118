import { compare } from './differences.ts';

/**
 * Compares the filters of languages with Babel, with more data than a test has time for.
 *
 *   npm run verify -- locale [seed] [count]
 */

const [seed = '1', count = '100'] = process.argv.slice(2);
const { compared, differences } = compare(Number(seed), Number(count));
for (const difference of differences.slice(0, 100)) console.log(JSON.stringify(difference));
console.log(`${compared} calls, ${differences.length} differences that docs/languages.md does not list`);
process.exitCode = differences.length === 0 ? 0 : 1;
