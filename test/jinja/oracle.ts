import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { EnvironmentOptions } from '@platen/jinja';
import { Environment, fromJs, parseJson, TemplateError, Dict } from '@platen/jinja';
import type { Value } from '@platen/jinja';

/** One template to render, with Python's Jinja2 and with ours. */
export interface RenderCase {
  name: string;
  template: string;
  /** JSON text. */
  context?: string;
  templates?: Record<string, string>;
  options?: Pick<EnvironmentOptions, 'autoescape' | 'dialect' | 'syntax' | 'undefined' | 'i18n'>;
}

export type RenderResult =
  | { output: string; formatted?: never }
  | { kind: string; message: string; line: number | null; formatted?: string };

const PYTHON = '/usr/bin/python3';
/** The releases of requirements.txt, where `bin/pre.mjs test` puts them. */
const PACKAGES = 'node_modules/.cache/platen/python';

/**
 * Whether the machine's Python words its own errors as ours does. Those of a wrong call to a method of `str` come from
 * Python and not from Jinja2, and 3.13 has new words for some (and new arguments).
 */
export function hasSameErrorMessages(): boolean {
  const { stdout } = spawnSync(PYTHON, ['-c', 'import sys; print(sys.version_info[1])'], {
    encoding: 'utf8',
  });
  return Number(stdout) < 13;
}

/** Renders all cases with Python's Jinja2, in one process. */
export function runOracle(cases: readonly RenderCase[]): RenderResult[] {
  const { status, stdout, stderr } = spawnSync(PYTHON, [join(import.meta.dirname, 'oracle.py')], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONPATH: resolve(PACKAGES) },
  });
  if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
  return JSON.parse(stdout) as RenderResult[];
}

/** Dates stand in a context as `{"$datetime": "ISO 8601"}`. */
function revive(value: Value): Value {
  if (Array.isArray(value)) return value.map(revive);
  if (!(value instanceof Dict)) return value;
  const date = value.size === 1 ? value.getName('$datetime') : undefined;
  if (typeof date === 'string') return fromJs(new Date(date));
  return Dict.from(Array.from(value.entries(), ([key, item]) => [key, revive(item)] as const));
}

/** Renders a case with our interpreter. Errors that are no TemplateError are thrown. */
export function renderWithPlaten(testCase: RenderCase): RenderResult {
  const { template, templates = {}, options = {}, context = '{}' } = testCase;
  try {
    const environment = new Environment({
      ...options,
      extensions: { do: true, loopControls: true, debug: true },
      loader: {
        load: (name) =>
          name === 'main' ? template : Object.hasOwn(templates, name) ? templates[name] : undefined,
      },
    });
    const data = revive(parseJson(context));
    return { output: environment.compile(template, 'main').render(data as Dict) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { kind: error.kind, message: error.message, line: error.line ?? null, formatted: error.format() };
  }
}
