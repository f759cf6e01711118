/**
 * `npm run pack -- [pdf jinja …] [--out FOLDER]`: makes npm packages of the workspaces, all of them where none is named.
 * What lies below `packages/` is run from its TypeScript source; what npm gives others is JavaScript with declarations,
 * since Node reads no TypeScript below node_modules.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

interface Manifest {
  name: string;
  private?: boolean;
  exports: Record<string, string>;
  /** What stands for a module of its own, by where it runs. */
  imports?: Record<string, Record<string, string>>;
  /** Folders that its code reads at run time. */
  files?: readonly string[];
  [key: string]: unknown;
}

const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.' } },
});
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
const all = globSync('packages/*/package.json', { cwd: root }).map((file) =>
  path.basename(path.dirname(file)),
);

for (const name of positionals.length > 0 ? positionals : all) pack(name);

/** Builds one package in a folder of its own and has npm make a file of it. */
function pack(name: string): void {
  const source = path.join(root, 'packages', name);
  const folder = mkdtempSync(path.join(tmpdir(), `platen-pack-${name}-`));
  try {
    const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as Manifest;
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(built(manifest), null, 2)}\n`);
    copyFileSync(path.join(source, 'README.md'), path.join(folder, 'README.md'));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    compile(source, folder, Object.values(manifest.exports));
    for (const data of manifest.files ?? []) {
      cpSync(path.join(source, data), path.join(folder, data), { recursive: true });
    }
    const made = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: folder,
      encoding: 'utf8',
    });
    process.stdout.write(`${path.join(out, made.trim())}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifest of what is built of a package. */
function built(manifest: Manifest): Record<string, unknown> {
  const { private: _private, exports, imports = {}, files = [], ...rest } = manifest;
  const stem = (file: string): string => file.replace('./src/', './dist/').slice(0, -'.ts'.length);
  const entries = Object.entries(exports).map(([name, file]) => [
    name,
    { types: `${stem(file)}.d.ts`, default: `${stem(file)}.js` },
  ]);
  const own = Object.entries(imports).map(([name, places]) => [
    name,
    Object.fromEntries(Object.entries(places).map(([place, file]) => [place, `${stem(file)}.js`])),
  ]);
  return {
    ...rest,
    exports: Object.fromEntries(entries),
    ...(own.length === 0 ? {} : { imports: Object.fromEntries(own) }),
    files: ['dist', ...files],
  };
}

/** Compiles a package, with those it stands on: only its own part is kept. Of a page, that is what it exports. */
function compile(source: string, folder: string, exported: readonly string[]): void {
  const everything = path.join(folder, 'build');
  const project = path.join(folder, 'tsconfig.json');
  const options = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: path.join(root, 'packages'),
      outDir: everything,
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    // Whoever imports a package compiles what it is made of, with declarations of what has none of its own.
    include: [
      ...(isPage(source) ? exported : ['src']).map((part) => path.join(source, part)),
      ...declarations(),
    ],
    exclude: [],
  };
  writeFileSync(project, JSON.stringify(options));
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['--project', project], {
    cwd: root,
    stdio: 'inherit',
  });
  renameSync(path.join(everything, path.basename(source), 'src'), path.join(folder, 'dist'));
}

/** Written by hand, in any package that Node runs. */
function declarations(): string[] {
  return globSync('packages/*/src/**/*.d.ts', { cwd: root })
    .filter((file) => !isPage(path.join(root, ...file.split(path.sep).slice(0, 2))))
    .map((file) => path.join(root, file));
}

/** Whether a package is a page that browsers are given, built by other means. */
function isPage(source: string): boolean {
  return existsSync(path.join(source, 'index.html'));
}
