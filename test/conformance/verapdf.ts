import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { mavenJar } from '../support/maven.ts';

/** veraPDF, which judges PDF/A and PDF/UA. It needs a Java runtime, and Maven where it is not there yet. */

const run = promisify(execFile);
const CACHE = 'node_modules/.cache/verapdf';
const ARTIFACT = 'org.verapdf.apps:greenfield-apps:1.28.2';
/** Files of one call: what a command line holds. */
const AT_ONCE = 400;
/** Milliseconds of one call, and of each of its files: a document may keep it busy for ever. */
const [MAX_MS, EACH_MS] = [300_000, 10_000];

/**
 * Has files judged.
 *
 * @param flavour as veraPDF names it: `3a`, `ua1`
 * @returns what is wrong, by the name of the file; nothing for one that is right
 */
export async function judge(flavour: string, files: readonly string[]): Promise<Map<string, string[]>> {
  const path = await veraPdf();
  const wrong = new Map<string, string[]>();
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    const judged = await jobsOf(path, flavour, some);
    // A document may bring veraPDF itself down: then each is judged alone, and that one is told of.
    const each = judged.size === some.length ? [] : some.filter((file) => !judged.has(file));
    for (const file of each) {
      const [job] = (await jobsOf(path, flavour, [file])).values();
      judged.set(file, job ?? '');
    }
    for (const [file, job] of judged) {
      if (job.includes('isCompliant="true"')) continue;
      const rules = Array.from(
        job.matchAll(/<rule [^>]*clause="([^"]*)" testNumber="(\d+)"[^>]*>\s*<description>([^<]*)/g),
        ([, clause, test, description]) => `${clause}-${test} ${description?.slice(0, 120)}`,
      );
      wrong.set(basename(file), rules.length > 0 ? rules : ['not judged']);
    }
  }
  return wrong;
}

/**
 * @param flavour as for `judge`
 * @returns how many rules a file fails
 */
export async function failedRules(flavour: string, file: string): Promise<number> {
  const job = (await jobsOf(await veraPdf(), flavour, [file])).get(file);
  const [, count] = /failedRules="(\d+)"/.exec(job ?? '') ?? [];
  if (count === undefined) throw new Error(`veraPDF does not judge ${file}`);
  return Number(count);
}

/** Returns the path of veraPDF, which Maven brings when it is not there yet. */
export async function veraPdf(): Promise<string> {
  return await mavenJar(ARTIFACT, CACHE);
}

/** What veraPDF says of each file, by its path. */
async function jobsOf(jar: string, flavour: string, files: readonly string[]): Promise<Map<string, string>> {
  const program = ['-cp', jar, 'org.verapdf.apps.GreenfieldCliWrapper'];
  const options = ['--flavour', flavour, '--format', 'xml', '--maxfailuresdisplayed', '1'];
  // It exits with 1 where something is wrong.
  const timeout = MAX_MS + files.length * EACH_MS;
  const report = await run('java', [...program, ...options, ...files], { maxBuffer: 1 << 28, timeout }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; killed?: boolean }) => {
      if (error.stdout?.includes('<report>') !== true && error.killed !== true) throw error;
      return error.stdout ?? '';
    },
  );
  const jobs = report.split('<job>').slice(1);
  const named = jobs.map((job) => [basename(/<name>([^<]*)</.exec(job)?.[1] ?? ''), job] as const);
  const found = new Map<string, string>();
  for (const file of files) {
    const job = named.find(([name]) => name === basename(file))?.[1];
    if (job?.includes('</job>') === true) found.set(file, job);
  }
  return found;
}
