import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { oneTemplate, releaseFiles } from './template.ts';
import { zipFolder } from './zip.ts';

/** The name of the template in a release. */
export const TEMPLATE_FILE = 'platen.template.json';

/**
 * Writes the template and the files that it names.
 *
 * @param assembly folder of the synthesised stacks
 * @param address where the files will be, without a slash at the end
 * @returns the names of all written files
 */
export async function writeOneClick(assembly: string, address: string, out: string): Promise<string[]> {
  await mkdir(out, { recursive: true });
  const files = [];
  for (const file of releaseFiles(assembly)) {
    const sha256 = await zipFolder(path.join(assembly, file.folder), path.join(out, file.name));
    files.push({ ...file, sha256 });
  }
  await writeFile(path.join(out, TEMPLATE_FILE), JSON.stringify(oneTemplate(assembly, files, address)));
  return [TEMPLATE_FILE, ...files.map(({ name }) => name)];
}
