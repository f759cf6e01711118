/**
 * Validates every docx, xlsx and pptx file that the office tests fill against the transitional schemas of ECMA-376:
 * none may have a fault that its template does not have. Templates of tests have faults where only what a test is
 * about stands in them.
 *
 *     npm run verify -- schemas [test/office/xlsx.test.ts]
 *
 * It needs a JDK, and Maven for the first run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { schemaFaults } from '../../bench/office-schemas.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'platen-schemas-'));
const tests = process.argv.length > 2 ? process.argv.slice(2) : ['test/office'];
const { status } = spawnSync('vitest', ['run', ...tests], {
  env: { ...process.env, PLATEN_KEPT_DOCUMENTS: folder },
  stdio: 'inherit',
});
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.result'))
  .map((name) => path.join(folder, path.parse(name).name));
const faults = await schemaFaults(names.flatMap((name) => [`${name}.template`, `${name}.result`]));
const added = names.flatMap((name) =>
  [...(faults.get(`${name}.result`) ?? [])]
    .filter((fault) => faults.get(`${name}.template`)?.has(fault) !== true)
    .map((fault) => `${readFileSync(`${name}.test`, 'utf8')}\n  ${fault}`),
);
for (const fault of new Set(added)) console.log(fault);
const valid = names.filter((name) => (faults.get(`${name}.result`)?.size ?? 0) === 0).length;
console.log(`${names.length} results: ${valid} valid, ${added.length} faults that their templates lack`);
rmSync(folder, { recursive: true });
process.exitCode = status === 0 && added.length === 0 ? 0 : 1;
