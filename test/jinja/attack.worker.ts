import { parentPort } from 'node:worker_threads';
import { ALL_EXTENSIONS, Dict, Environment, parseJson, TemplateError } from '@platen/jinja';
import type { Attack } from './attacks.ts';

/** Runs attacks one after the other in a thread with little memory, and tells how each ended. */

export type AttackResult = { name: string } & (
  { output: string } | { kind: string; message: string } | { bug: string }
);

function run({ name, template, templates = {}, data = '{}' }: Attack): AttackResult {
  try {
    const environment = new Environment({
      extensions: ALL_EXTENSIONS,
      // Every attack has to end by what is counted. One that runs until this time has work that nothing counts.
      limits: { time: 20_000 },
      loader: { load: (wanted) => (Object.hasOwn(templates, wanted) ? templates[wanted] : undefined) },
    });
    const values = parseJson(data);
    return {
      name,
      output: environment.compile(template, 'attack').render(values instanceof Dict ? values : {}),
    };
  } catch (error) {
    if (error instanceof TemplateError) return { name, kind: error.kind, message: error.message };
    return { name, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (attack: Attack) => parentPort?.postMessage(run(attack), []));
