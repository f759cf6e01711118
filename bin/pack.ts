/**
 * `npm run pack -- [pdf jinja …] [--out FOLDER]`: creates npm packages of the named workspaces, or of all. The
 * repository runs `packages/` from TypeScript sources. Published packages contain JavaScript with declarations,
 * because Node does not run TypeScript below node_modules.
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
  /** The module that replaces an internal one, by environment. */
  imports?: Record<string, Record<string, string>>;
  /** Programs, by name. */
  bin?: Record<string, string>;
  /** Folders that the code of the package reads at run time. */
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

/** Builds one package in a separate folder and packs it with npm. */
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

/** Returns the manifest of the built package. */
function built(manifest: Manifest): Record<string, unknown> {
  const { private: _private, exports, imports = {}, files = [], bin = {}, ...rest } = manifest;
  const stem = (file: string): string => file.replace('./src/', './dist/').slice(0, -'.ts'.length);
  const entries = Object.entries(exports).map(([name, file]) => [
    name,
    { types: `${stem(file)}.d.ts`, default: `${stem(file)}.js` },
  ]);
  const own = Object.entries(imports).map(([name, places]) => [
    name,
    Object.fromEntries(Object.entries(places).map(([place, file]) => [place, `${stem(file)}.js`])),
  ]);
  const programs = Object.entries(bin).map(([name, file]) => [name, `${stem(file)}.js`]);
  return {
    ...rest,
    keywords: ['platen', 'pdf', 'documents', 'templates', manifest.name.replace('@platen/', '')],
    ...origin(manifest.name),
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
    ...(programs.length === 0 ? {} : { bin: Object.fromEntries(programs) }),
    exports: Object.fromEntries(entries),
    ...(own.length === 0 ? {} : { imports: Object.fromEntries(own) }),
    files: ['dist', ...files],
  };
}

/**
 * Returns where the sources of a package are. The workflow of a release knows it (`GITHUB_REPOSITORY`); npm compares it
 * with the repository that the provenance of the package names.
 */
function origin(name: string): Record<string, unknown> {
  const repository = process.env['GITHUB_REPOSITORY'] ?? '';
  if (repository === '') return {};
  const url = `https://github.com/${repository}`;
  const directory = `packages/${name.replace('@platen/', '')}`;
  return {
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git`, directory },
  };
}

/**
 * Compiles a package together with its dependencies and keeps only its own files. For a page, these are the
 * exported files.
 */
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
    // Users of a package compile its declarations, which need declarations for dependencies without types.
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

/** The hand-written declarations of any package that runs on Node. */
function declarations(): string[] {
  return globSync('packages/*/src/**/*.d.ts', { cwd: root })
    .filter((file) => !isPage(path.join(root, ...file.split(path.sep).slice(0, 2))))
    .map((file) => path.join(root, file));
}

/** Whether a package is a web page, which other tools build. */
function isPage(source: string): boolean {
  return existsSync(path.join(source, 'index.html'));
}
