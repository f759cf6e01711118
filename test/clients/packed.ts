import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../bin/service.ts';

/** The TypeScript client as npm gives it to others. */

/** A program of somebody who uses the client. */
const PROGRAM = `import { Platen, PlatenError, verifyWebhook, type Job } from '@platen/client';

const platen = new Platen({ url: 'http://localhost:8080', token: 'x' });
export async function work(): Promise<string> {
  const { id } = await platen.templates.add({ name: 'A', format: 'html' }, { file: { path: 'a.html' } });
  const onProgress = ({ done, total }: Job): void => console.log(done, total);
  const file = await (await platen.batch(id, [{ a: 1 }]).asJob().wait({ onProgress })).toFile();
  try {
    await platen.pdf.rotate({ path: file }, { angle: 90 }).bytes();
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'pdf_invalid') return error.message;
    throw error;
  }
  // @ts-expect-error -- an angle is a number
  await platen.pdf.rotate({ path: file }, { angle: 'left' });
  return typeof verifyWebhook;
}
`;

/** Puts the packed client into a folder, as \`npm install\` does. */
export function installClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [path.join(ROOT, 'bin/pack.ts'), 'client', '--out', folder]);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const [tarball = ''] = globSync('*.tgz', { cwd: folder });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `./${tarball}`], { cwd: folder });
  copyFileSync(path.join(import.meta.dirname, 'long.mjs'), path.join(folder, 'long.mjs'));
}

/** Checks the types of a program with the declarations of a release of Node. @throws when they do not fit */
export function checkTypes(folder: string, node: string): void {
  const types = `@types/node@${node}`;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--no-save', types], {
    cwd: folder,
  });
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: 'inherit' });
}
