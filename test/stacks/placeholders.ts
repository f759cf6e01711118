import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import cdkJson from '../../cdk.json' with { type: 'json' };
import type { Artifacts } from '../../lib/artifacts/index.ts';
import { FUNCTION_NAMES, type FunctionName, type LayerName, LAYERS } from '../../lib/functions.ts';
import { addPlaten, type Platen } from '../../lib/platen.ts';

/** Synthesising the stacks without building what they deploy. */

/** Folders with the least that code and layers need: what the stacks say of them does not depend on it. */
export function placeholders(root: string, functions: readonly FunctionName[] = FUNCTION_NAMES): Artifacts {
  const write = (file: string, text: string): string => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return {
    functions: new Map(
      functions.map((name) => [
        name,
        path.dirname(
          write(path.join(root, name, 'index.mjs'), `// ${name}\n`) &&
            write(path.join(root, name, 'Dockerfile'), 'FROM scratch\n'),
        ),
      ]),
    ),
    layers: new Map(
      (Object.keys(LAYERS) as LayerName[]).map((name) => {
        write(path.join(root, `${name}-layer`, LAYERS[name], 'manifest.json'), `{"key":"${name}"}`);
        return [name, path.join(root, `${name}-layer`)];
      }),
    ),
    studio: path.dirname(write(path.join(root, 'studio', 'index.html'), '<!doctype html>\n')),
  };
}

/** The stacks in `outdir`, not synthesised yet, as `cdk.json` and `switches` (without their prefix) make them. */
export function stacksIn(
  outdir: string,
  switches: Readonly<Record<string, unknown>>,
  artifacts: Artifacts,
  validate = false,
): Platen & { app: App } {
  const context = Object.fromEntries(
    Object.entries(switches).map(([name, value]) => [`platen:${name}`, value]),
  );
  const app = new App({
    outdir,
    context: { ...cdkJson.context, ...context },
    analyticsReporting: false,
    builtinCloudFormationValidation: validate,
  });
  return { app, ...addPlaten(app, artifacts) };
}
