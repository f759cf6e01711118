/**
 * `npm run docs:site [-- FOLDER --base /docs/]`: generates the documentation as a site of static files, with a page for
 * each route, a search, `llms.txt`, collections for Postman and Bruno, and JSON Schemas for editors. It checks every
 * link.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './service.ts';
import { buildSite } from './site/build.ts';
import { faultsOf } from './site/links.ts';

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: '/docs/' } },
  allowPositionals: true,
});
const folder = path.resolve(positionals[0] ?? path.join(ROOT, '.platen/docs'));
const pages = await buildSite(ROOT, folder, values.base);
const faults = faultsOf(folder, values.base);
console.log(`${pages.length} pages in ${folder}`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
