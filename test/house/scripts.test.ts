import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { descriptionOf, SCRIPTS, summaryOf } from '../../bin/run.ts';

/** The scripts of `npm run bench`, `verify`, `soak`, `hostile` and `fuzz`, and what the documentation says of them. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const NPM: Readonly<Record<string, string>> = packageJson.scripts;
const FILES = globSync(
  [
    '*.md',
    '{docs,.github}/**/*.{md,yml,ts}',
    '{bench,bin,test}/**/*.ts',
    'packages/*/{README.md,src/**/*.ts}',
  ],
  { cwd: ROOT, exclude: (name) => name.endsWith('scripts.test.ts') || name.endsWith('node_modules') },
);

describe.each(Object.entries(SCRIPTS))('npm run %s', (group, scripts) => {
  it('is a script of package.json', () => {
    expect(NPM[group]).toBe(`node bin/run.ts ${group}`);
  });

  it('has scripts that exist and say what they do', () => {
    for (const [name, file] of Object.entries(scripts)) {
      expect(existsSync(path.join(ROOT, file)), name).toBe(true);
      expect(summaryOf(file), name).toMatch(/^[A-Z][a-z]+s .+[.]$/);
      // The head shows the command as it is typed.
      for (const command of descriptionOf(file)
        .join('\n')
        .matchAll(/npm run (\S+) -- (\S+)/g))
        expect(command.slice(1, 3), file).toEqual([group, name === 'goals' ? '--summary' : name]);
    }
  });
});

it('scripts are named in the documentation by names that they have', () => {
  const faults: string[] = [];
  let found = 0;
  for (const file of FILES) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const [all, name = '', script] of text.matchAll(/\bnpm run ([a-z][\w:-]*)(?: -- ([a-z][\w-]*))?/g)) {
      found++;
      const group = SCRIPTS[name];
      if (NPM[name] === undefined) faults.push(`${file}: ${all}`);
      else if (group !== undefined && script !== undefined && group[script] === undefined)
        faults.push(`${file}: ${all}`);
    }
  }
  expect(found).toBeGreaterThan(150);
  expect(faults).toEqual([]);
});

it('every measurement has a name, or is a part of another', () => {
  const named = new Set(Object.values(SCRIPTS).flatMap((scripts) => Object.values(scripts)));
  const all = globSync('{bench,test}/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const unused = globSync('bench/*.ts', { cwd: ROOT }).filter(
    (file) =>
      !named.has(file) &&
      !all.some(
        (text) => text.includes(`/${path.basename(file)}'`) || text.includes(`'${path.basename(file)}'`),
      ),
  );
  expect(unused).toEqual([]);
});

it('are listed with the first sentence of what they say, and end with what they end with', () => {
  const output = (...given: string[]): string =>
    execFileSync(process.execPath, ['bin/run.ts', ...given], { cwd: ROOT, encoding: 'utf8' });
  expect(output('fuzz', '--list')).toMatch(/\n {2}jinja {2}Renders random templates /);
  expect(output('bench', '--list', 'pdf')).toContain('  npm run bench -- pdf [part of a name]');
  expect(output('fuzz', 'http', '--help')).toContain('--requests N');
  expect(() => output('fuzz', 'nothing')).toThrow('no such script: nothing');
});
