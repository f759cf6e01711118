import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';

/** veraPDF, which judges PDF/A and PDF/UA. It needs a Java runtime, and Maven where it is not there yet. */

const run = promisify(execFile);
const CACHE = 'node_modules/.cache/verapdf';
const ARTIFACT = 'org.verapdf.apps:greenfield-apps:1.28.2';
/** Files of one call: what a command line holds. */
const AT_ONCE = 400;

async function jar(): Promise<string> {
  const found = (): string | undefined =>
    existsSync(CACHE) ? readdirSync(CACHE).find((name) => name.endsWith('.jar')) : undefined;
  if (found() === undefined) {
    mkdirSync(CACHE, { recursive: true });
    await run('mvn', [
      '-q',
      'dependency:copy',
      `-Dartifact=${ARTIFACT}`,
      `-DoutputDirectory=${resolve(CACHE)}`,
    ]);
  }
  const name = found();
  if (name === undefined) throw new Error(`Maven did not bring ${ARTIFACT}`);
  return `${CACHE}/${name}`;
}

/**
 * Has files judged.
 *
 * @param flavour as veraPDF names it: `3a`, `ua1`
 * @returns what is wrong, by the name of the file; nothing for one that is right
 */
export async function judge(flavour: string, files: readonly string[]): Promise<Map<string, string[]>> {
  const path = await jar();
  const wrong = new Map<string, string[]>();
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    const program = ['-cp', path, 'org.verapdf.apps.GreenfieldCliWrapper'];
    const options = ['--flavour', flavour, '--format', 'xml', '--maxfailuresdisplayed', '1'];
    // It exits with 1 where something is wrong.
    const report = await run('java', [...program, ...options, ...some], { maxBuffer: 1 << 28 }).then(
      ({ stdout }) => stdout,
      (error: Error & { stdout?: string }) => {
        if (error.stdout?.includes('<report>') !== true) throw error;
        return error.stdout;
      },
    );
    const jobs = report.split('<job>').slice(1);
    if (jobs.length !== some.length) throw new Error(`veraPDF judged ${jobs.length} of ${some.length} files`);
    for (const job of jobs) {
      if (job.includes('isCompliant="true"')) continue;
      const name = basename(/<name>([^<]*)</.exec(job)?.[1] ?? '');
      const rules = Array.from(
        job.matchAll(/<rule [^>]*clause="([^"]*)" testNumber="(\d+)"[^>]*>\s*<description>([^<]*)/g),
        ([, clause, test, description]) => `${clause}-${test} ${description?.slice(0, 120)}`,
      );
      wrong.set(name, rules.length > 0 ? rules : ['not judged']);
    }
  }
  return wrong;
}
