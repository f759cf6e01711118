/**
 * `npm run docs:site [-- FOLDER]`: generates the documentation as a site of static files, with a page for each
 * route, a search, `llms.txt`, collections for Postman and Bruno, and JSON Schemas for editors. It checks every
 * link.
 */
import path from 'node:path';
import { ROOT } from './service.ts';
import { buildSite } from './site/build.ts';
import { faultsOf } from './site/links.ts';

const folder = path.resolve(process.argv[2] ?? path.join(ROOT, '.platen/docs'));
process.chdir(ROOT);
const pages = await buildSite(ROOT, folder);
const faults = faultsOf(folder);
console.log(`${pages.length} pages in ${folder}`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
