/**
 * The CDK app: `npx cdk synth`, or `node bin/platen.ts`, writes the stacks to `cdk.out/` without network and
 * Docker. With `--local <folder>`, it writes the stacks of the local service, whose layers have their local form.
 * Switches are context under `platen:` (docs/deploy.md).
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildArtifacts, type BuiltArtifacts, HostError } from '../lib/artifacts/index.ts';
import { ensureStudio } from './studio.ts';

const root = path.resolve(import.meta.dirname, '..');
const { local } = parseArgs({ options: { local: { type: 'string' } } }).values;

// Loading the CDK takes most of the time of a synthesis. With the compile cache, it loads in a third of the time.
module.enableCompileCache();
const [{ App }, { localContext, readSettings, refuseOtherPrefixes, SwitchError }] = await Promise.all([
  import('aws-cdk-lib'),
  import('../lib/settings.ts'),
]);

let artifacts: BuiltArtifacts | undefined;
try {
  const { context } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8')) as {
    context: Record<string, unknown>;
  };
  // The CLI passes the output folder. Context from the CLI takes precedence over the same context given here.
  const outdir = process.env['CDK_OUTDIR'];
  const app = new App({
    outdir: outdir ?? local ?? path.join(root, 'cdk.out'),
    // CloudFormation's rules take longer than everything else. They apply only to deployments, which the CLI does.
    builtinCloudFormationValidation: outdir !== undefined,
    // The CLI enables this by default: with it, resources record where the code creates them.
    context: {
      'aws:cdk:enable-path-metadata': true,
      ...(local === undefined ? context : localContext(context)),
    },
    analyticsReporting: false,
    treeMetadata: false,
  });
  // An invalid switch is reported before anything is built.
  const given = app.node.getAllContext() as Record<string, unknown>;
  refuseOtherPrefixes(given);
  const { studio } = readSettings(given);
  const [built, { addPlaten }] = await Promise.all([
    buildArtifacts(root, local === undefined ? 'deployed' : 'local'),
    import('../lib/platen.ts'),
  ]);
  artifacts = built;
  addPlaten(app, { ...built, ...(studio ? { studio: await ensureStudio(root) } : {}) });
  app.synth();
} catch (error) {
  if (!(error instanceof SwitchError || error instanceof HostError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await artifacts?.remove();
}
