import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeRoot, type Suite } from './debian-root.ts';
import { copyInto, IMAGE_PATH } from './dockerfile.ts';

/** The folder with the headers of this machine's Node. */
const NODE_PREFIX = '/usr';

/**
 * Creates a root like one of Node's images: a Debian, Node, npm, and Node's headers. Requires root.
 *
 * @param image its name, with the full version of Node
 * @param root the folder to create it in
 * @throws for an image of another kind, or of another Node than this one
 */
export function nodeImage(image: string, root: string): void {
  const [, version, suite] = /^node:(\d+\.\d+\.\d+)-(bookworm|trixie)(?:-slim)?$/.exec(image) ?? [];
  if (suite === undefined) throw new Error(`${image} is none of Node's images with its full version.`);
  if (`v${version}` !== process.version)
    throw new Error(`${image} is not of ${process.version}, which tests run.`);
  makeRoot(root, suite as Suite, ['ca-certificates']);
  copyFileSync(process.execPath, path.join(root, 'usr/local/bin/node'));
  const headers = path.join(NODE_PREFIX, 'include/node');
  if (existsSync(headers)) copyInto(headers, path.join(root, 'usr/local/include/node'));
  const npm = execFileSync('npm', ['root', '-g'], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: IMAGE_PATH },
  }).trim();
  copyInto(path.join(npm, 'npm'), path.join(root, 'usr/local/lib/node_modules/npm'));
  const command = path.join(root, 'usr/local/bin/npm');
  rmSync(command, { force: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', command);
}
