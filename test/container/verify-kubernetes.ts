/**
 * Lints the Helm chart, compares kubernetes/platen.yaml with what Helm makes of it (`--write` writes it), and holds it,
 * with the values of the chart and with others, to the schemas of Kubernetes. `helm` and `kubernetes-validate` (pip install
 * kubernetes-validate) have to be on the PATH. No cluster is asked.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CHART = 'kubernetes/chart';
const MANIFEST = 'kubernetes/platen.yaml';
/** Values that are empty in the chart. */
const OTHER_VALUES = `
imagePullSecrets: [{ name: registry }]
env: [{ name: PLATEN_CONFINEMENT, value: offered }]
data: { size: 5Gi, storageClass: fast }
resources: { limits: { cpu: '2', memory: 2Gi } }
service: { port: 8080 }
`;

const helm = (...args: string[]): string => execFileSync('helm', args, { encoding: 'utf8' });

/** The comment at the head of the manifest stays; Helm begins with a separator. */
function manifest(): string {
  const [head = ''] = /^(?:#.*\n)*/.exec(readFileSync(MANIFEST, 'utf8')) ?? [];
  return head + helm('template', 'platen', CHART);
}

const folder = mkdtempSync(path.join(tmpdir(), 'platen-kubernetes-'));
try {
  console.log(helm('lint', '--strict', CHART).trim());
  const made = manifest();
  if (process.argv.includes('--write')) writeFileSync(MANIFEST, made);
  const isSame = readFileSync(MANIFEST, 'utf8') === made;
  console.log(isSame ? `ok   ${MANIFEST} is what Helm makes` : `FAIL ${MANIFEST} is not what Helm makes`);
  if (!isSame) process.exitCode = 1;
  const values = path.join(folder, 'values.yaml');
  writeFileSync(values, OTHER_VALUES);
  const other = path.join(folder, 'other.yaml');
  writeFileSync(other, helm('template', 'documents', CHART, '--values', values));
  execFileSync('kubernetes-validate', ['--strict', MANIFEST, other], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
