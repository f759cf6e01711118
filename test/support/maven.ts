import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns the path of a Java library, without its dependencies, which Maven brings when it is not there yet.
 *
 * @param artifact `group:name:version`
 * @param folder that keeps it
 * @throws Error if Maven is missing, or has no such library
 */
export async function mavenJar(artifact: string, folder: string): Promise<string> {
  const [, name = '', version = ''] = artifact.split(':');
  const path = join(folder, `${name}-${version}.jar`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  await run('mvn', [
    '-q',
    'dependency:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${resolve(folder)}`,
  ]);
  return path;
}
