import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** schemathesis, which reads the OpenAPI document and tries what it allows and what it does not. */

const VERSION = '4.32.5';

/** Makes a virtual environment with it, once. @returns the program */
function installed(folder: string): string {
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`];
  execFileSync(join(folder, 'bin', 'python'), pip, { stdio: 'inherit' });
  return program;
}

/**
 * Runs it against a service. What it finds is printed, and kept in `report`.
 *
 * @param examples of each operation and kind
 * @param workers requests at once
 * @returns whether it found nothing
 */
export async function runSchemathesis({
  venv,
  report,
  url,
  token,
  examples,
  seed,
  workers,
}: {
  venv: string;
  report: string;
  url: string;
  token: string;
  examples: number;
  seed: number;
  workers: number;
}): Promise<boolean> {
  const options = [
    ['--header', `Authorization:${token}`],
    ['--phases', 'examples,coverage,fuzzing'],
    // What answers are like. What a schema cannot say (fields that belong together) makes the other checks false alarms.
    [
      '--checks',
      'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
    ],
    ['--max-examples', String(examples)],
    ['--seed', String(seed)],
    ['--request-timeout', '120'],
    ['--workers', String(workers)],
    ['--suppress-health-check', 'all'],
    ['--warnings', 'off'],
    ['--report', 'junit'],
    ['--report-dir', resolve(report)],
    ['--no-shrink', '--no-color', '--continue-on-failure'],
  ].flat();
  mkdirSync(report, { recursive: true });
  const child = spawn(installed(resolve(venv)), ['run', `${url}/v1/openapi.json`, ...options], {
    // It keeps notes of its own in the folder it is started in.
    cwd: report,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
