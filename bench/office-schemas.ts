import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mavenJar } from '../test/support/maven.ts';

/** Validates office files against the schemas of ECMA-376. It needs a JDK, and Maven for the first run. */

const run = promisify(execFile);
const CACHE = 'node_modules/.cache/office-schemas';
/** The schemas, what reads them, and what that logs with. */
const ARTIFACTS = [
  'org.apache.poi:poi-ooxml-full:5.4.1',
  'org.apache.xmlbeans:xmlbeans:5.3.0',
  'org.apache.logging.log4j:log4j-api:2.24.3',
];

/** Excel writes it as well, where the schemas have a text without attributes. */
const AS_EXCEL = /^: Attribute not allowed \(no wildcards allowed\): space@.* in element t@/;

/**
 * Returns the faults of docx, xlsx and pptx files, by path: each once, as the element and what is wrong with it.
 *
 * @throws Error if Java or the schemas are missing
 */
export async function schemaFaults(paths: readonly string[]): Promise<Map<string, Set<string>>> {
  const libraries: string[] = [];
  for (const artifact of ARTIFACTS) libraries.push(await mavenJar(artifact, CACHE));
  const source = join(import.meta.dirname, 'OfficeSchemas.java');
  const java = run('java', ['-Xmx2g', '-cp', libraries.join(':'), source], { maxBuffer: 2 ** 28 });
  java.child.stdin?.end(`${paths.join('\n')}\n`);
  const { stdout } = await java;
  const faults = new Map<string, Set<string>>();
  for (const line of stdout.split('\n')) {
    const [path = '', , fault = ''] = line.split('\t');
    if (fault === '' || AS_EXCEL.test(fault)) continue;
    faults.set(path, (faults.get(path) ?? new Set()).add(fault));
  }
  return faults;
}
