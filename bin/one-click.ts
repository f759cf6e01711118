/**
 * `npm run one-click -- --address URL [--out FOLDER]`: writes the Lambda files of a release and the CloudFormation template
 * that deploys them (docs/deploy.md, "Without a checkout"). `URL` is where the files will be. The function of the converters
 * is an image, which a release cannot give to Lambda, so the template leaves it out.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { buildArtifacts } from '../lib/artifacts/index.ts';
import { writeOneClick } from '../lib/one-click/index.ts';
import { addStacks } from '../lib/platen-service.ts';
import { readSettings } from '../lib/settings.ts';

const { address, out } = parseArgs({
  options: { address: { type: 'string' }, out: { type: 'string', default: 'one-click' } },
}).values;
if (address === undefined || !URL.canParse(address)) {
  console.error('npm run one-click -- --address URL [--out FOLDER]');
  process.exit(2);
}

const root = path.resolve(import.meta.dirname, '..');
const assembly = await mkdtemp(path.join(tmpdir(), 'platen-one-click-'));
const artifacts = await buildArtifacts(root);
try {
  const app = new App({ outdir: assembly, analyticsReporting: false, treeMetadata: false });
  addStacks(app, readSettings({ 'platen:convert': false }), artifacts);
  app.synth();
  const written = await writeOneClick(assembly, address.replace(/\/$/, ''), out);
  console.log(`${out} has ${written.join(', ')}`);
} finally {
  await artifacts.remove();
  await rm(assembly, { recursive: true, force: true });
}
