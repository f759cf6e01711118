import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { FunctionSpec } from '../../../packages/aws-local/src/assembly/index.ts';

/** The file systems of a function in Lambda, as arguments of bubblewrap: everything is read-only except /tmp. */

/** Shared libraries of Lambda's own system that Node, sharp and Chromium (with those of its layer) need. */
const LIBRARIES = [
  ...[
    'libc.so.6',
    'libm.so.6',
    'libdl.so.2',
    'libpthread.so.0',
    'librt.so.1',
    'libresolv.so.2',
    'libutil.so.1',
  ],
  ...['libnss_files.so.2', 'libnss_dns.so.2', 'libgcc_s.so.1', 'libstdc++.so.6'],
];
const LIBRARY_FOLDERS = ['/lib64', '/usr/lib64', '/lib/x86_64-linux-gnu', '/lib/aarch64-linux-gnu'];
const LOADERS = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/** Folders of this machine that replace the packages of the convert image. */
const IMAGE = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/var/lib', '/var/cache', '/var/spool'];

/** The folders where Lambda has Node, and its runtime. */
export const NODE = '/var/lang/bin/node';
export const RUNTIME = '/var/runtime/runtime.mjs';

/** Files that were created for the sandboxes: paths on this machine. */
export interface Files {
  runtime: string;
  passwd: string;
  group: string;
}

/** Whether a function is a container image, whose system its Dockerfile defines. */
export function isImage({ code }: FunctionSpec): boolean {
  return code !== null && existsSync(path.join(code, 'Dockerfile'));
}

/** Variables that an image sets (`ENV`). */
export function variablesOfImage({ code }: FunctionSpec): Record<string, string> {
  const dockerfile = readFileSync(path.join(code ?? '', 'Dockerfile'), 'utf8');
  const lines = [...dockerfile.matchAll(/^ENV (.*)$/gm)].map(([, line = '']) => line);
  return Object.fromEntries(
    lines.flatMap((line) =>
      line.split(' ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
  );
}

/** @param tmpBytes size of /tmp */
export function fileSystem(spec: FunctionSpec, files: Files, tmpBytes: number): string[] {
  if (spec.code === null) throw new Error(`${spec.name} has no code that could run here.`);
  return [
    ...(isImage(spec) ? IMAGE.flatMap(asOnMachine) : lambdasOwn(files)),
    ...bind(process.execPath, NODE),
    ...bind(files.runtime, RUNTIME),
    ...bind(spec.code, '/var/task'),
    ...spec.layers.flatMap(layer),
    ...['--proc', '/proc', '--tmpfs', '/dev'],
    ...DEVICES.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...['--symlink', '/proc/self/fd', '/dev/fd', '--remount-ro', '/dev'],
    ...['--size', String(tmpBytes), '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/var/task'],
  ];
}

function lambdasOwn({ passwd, group }: Files): string[] {
  const libraries = LIBRARY_FOLDERS.flatMap((folder) => LIBRARIES.map((name) => path.join(folder, name)));
  return [
    ...[...LOADERS, ...libraries].filter((file) => existsSync(file)).flatMap((file) => bind(file, file)),
    // The program of the image that functions start.
    ...bind('/bin/sh', '/bin/sh'),
    ...['/etc/hosts', '/etc/nsswitch.conf', '/etc/resolv.conf']
      .filter((file) => existsSync(file))
      .flatMap((file) => bind(file, file)),
    ...bind(passwd, '/etc/passwd'),
    ...bind(group, '/etc/group'),
  ];
}

/** Layers are merged in /opt. @throws if two of them contain the same name */
function layer(folder: string, index: number, all: readonly string[]): string[] {
  return readdirSync(folder).flatMap((name) => {
    const twice = all.slice(0, index).find((other) => existsSync(path.join(other, name)));
    if (twice !== undefined) throw new Error(`${name} is in two layers: ${twice} and ${folder}.`);
    return bind(path.join(folder, name), `/opt/${name}`);
  });
}

function bind(source: string, place: string): string[] {
  return ['--ro-bind', source, place];
}

function asOnMachine(place: string): string[] {
  if (!existsSync(place)) return [];
  return lstatSync(place).isSymbolicLink()
    ? ['--symlink', readlinkSync(place), place]
    : ['--ro-bind', place, place];
}
