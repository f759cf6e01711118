/**
 * The CDK app: `npx cdk synth`, or `node bin/platen.ts`, writes the stacks to `cdk.out/`. No network, no Docker. With
 * `--local <folder>` it writes those of the local service, whose layers are built in their local form.
 * Switches are context under `platen:` (docs/deploy.md).
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildArtifacts, type BuiltArtifacts } from '../lib/artifacts/index.ts';
import { ensureStudio } from './studio.ts';

const root = path.resolve(import.meta.dirname, '..');
const { local } = parseArgs({ options: { local: { type: 'string' } } }).values;

// Most of a synthesis is loading the CDK; compiled once, it loads in a third of the time.
module.enableCompileCache();
const [{ App }, { localContext, readSettings, SwitchError }] = await Promise.all([
  import('aws-cdk-lib'),
  import('../lib/settings.ts'),
]);

let artifacts: BuiltArtifacts | undefined;
try {
  const { context } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8')) as {
    context: Record<string, unknown>;
  };
  // The CLI says where to write, and what it passes as context wins over the same given here.
  const outdir = process.env['CDK_OUTDIR'];
  const app = new App({
    outdir: outdir ?? local ?? path.join(root, 'cdk.out'),
    // CloudFormation's rules take longer than all the rest: they are for what is deployed, which the CLI does.
    builtinCloudFormationValidation: outdir !== undefined,
    // The CLI asks for it by default: with it, resources tell where they are made.
    context: {
      'aws:cdk:enable-path-metadata': true,
      ...(local === undefined ? context : localContext(context)),
    },
    analyticsReporting: false,
    treeMetadata: false,
  });
  // A wrong switch is told before anything is built.
  const { studio } = readSettings(app.node.getAllContext() as Record<string, unknown>);
  const [built, { addPlaten }] = await Promise.all([
    buildArtifacts(root, local === undefined ? 'deployed' : 'local'),
    import('../lib/platen.ts'),
  ]);
  artifacts = built;
  addPlaten(app, { ...built, ...(studio ? { studio: await ensureStudio(root) } : {}) });
  app.synth();
} catch (error) {
  if (!(error instanceof SwitchError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await artifacts?.remove();
}
