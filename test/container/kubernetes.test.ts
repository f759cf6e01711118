import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as YAML from 'yaml';
import { integer } from '../../functions/shared/config.ts';
import { call, serveFixture, type ServedFixture } from '../local/served-fixture.ts';

/** kubernetes/platen.yaml and the chart that it is made of: beside compose.yaml, and against a service that runs. */

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  ports: { name: string; containerPort: number }[];
  env: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  securityContext: Record<string, unknown>;
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
}

interface PodSpec {
  enableServiceLinks: boolean;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: { replicas?: number; strategy?: { type: string }; template?: { spec: PodSpec }; ports?: unknown };
}

interface Compose {
  services: {
    platen: {
      user: string;
      tmpfs: string[];
      volumes: string[];
      stop_grace_period: string;
      cap_drop: string[];
    };
  };
}

const manifest = YAML.parseAllDocuments(readFileSync('kubernetes/platen.yaml', 'utf8')).map(
  (document) => document.toJS() as Resource,
);
const of = (kind: string): Resource => {
  const found = manifest.find((resource) => resource.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}.`);
  return found;
};
const pod = of('Deployment').spec.template?.spec;
const container = pod?.containers[0];
if (pod === undefined || container === undefined) throw new Error('The deployment has no container.');
const { platen } = (YAML.parse(readFileSync('compose.yaml', 'utf8')) as Compose).services;
const [, image = ''] = /^FROM \S+ AS slim\n([\s\S]*?)\nFROM /m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

describe('the probes', () => {
  let fixture: ServedFixture;
  beforeAll(async () => void (fixture = await serveFixture()));
  afterAll(() => fixture.stop());

  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
  test.each(probes)('%s is answered by the service, without a token', async (name) => {
    const { path, port } = container[name].httpGet;
    expect((await call(`${fixture.url}${path}`)).status).toBe(200);
    const [{ containerPort } = { containerPort: 0 }] = container.ports.filter((one) => one.name === port);
    expect(image).toContain(`PLATEN_PORT=${containerPort} `);
    expect(image).toContain(`EXPOSE ${containerPort}\n`);
  });

  test('the health check of the image is the readiness probe', () => {
    expect(image).toContain(`\${process.env.PLATEN_PORT}${container.readinessProbe.httpGet.path}\``);
    expect(image).toMatch(/HEALTHCHECK/);
  });
});

test('the pod is confined as compose.yaml confines the container', () => {
  const [user = 0, group = 0] = platen.user.split(':').map(Number);
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: group,
    fsGroup: group,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: platen.cap_drop },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(`${pod.terminationGracePeriodSeconds}s`).toBe(platen.stop_grace_period);
});

test('what compose.yaml makes writable is writable, and the data are those of the claim', () => {
  const folders = [...platen.tmpfs, ...platen.volumes.map((volume) => volume.replace(/^\w+:/, ''))].map(
    (entry) => entry.split(':')[0],
  );
  const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
  expect(mounted.filter((folder) => folder !== '/dev/shm').sort()).toEqual(folders.sort());
  const data = container.volumeMounts.find(({ mountPath }) => mountPath === '/data')?.name;
  const volume = pod.volumes.find(({ name }) => name === data);
  expect(volume?.persistentVolumeClaim?.claimName).toBe(of('PersistentVolumeClaim').metadata.name);
  // Two services cannot share a data folder.
  expect(of('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
});

test('the token is that of a secret, and the service of the cluster does not set variables of this one', () => {
  expect(container.env).toEqual([
    { name: 'PLATEN_TOKEN', valueFrom: { secretKeyRef: { name: 'platen-token', key: 'token' } } },
  ]);
  // The variable that a service with this name would set in each of its pods.
  const link = `${of('Service').metadata.name.toUpperCase()}_PORT`;
  const env = { [link]: 'tcp://10.0.0.1:80' };
  expect(() => integer(env, 'PLATEN_PORT', { min: 0, max: 65_535, fallback: 8080 })).toThrow('PLATEN_PORT');
  expect(pod.enableServiceLinks).toBe(false);
});

test('docs/container.md describes the values of the chart, which its templates use', () => {
  const values = YAML.parse(readFileSync('kubernetes/chart/values.yaml', 'utf8')) as Record<string, unknown>;
  const names = Object.entries(values).flatMap(([name, value]) =>
    name === 'resources' || Array.isArray(value) || typeof value !== 'object' || value === null
      ? [name]
      : Object.keys(value).map((part) => `${name}.${part}`),
  );
  const templates = globSync('kubernetes/chart/templates/*.yaml').map((file) => readFileSync(file, 'utf8'));
  const used = Array.from(templates.join('').matchAll(/\.Values\.([\w.]+)/g), ([, name = '']) => name);
  expect([...new Set(used)].sort()).toEqual(names.sort());
  const [, section = ''] =
    /^## Kubernetes\n(.*?)^## /ms.exec(readFileSync('docs/container.md', 'utf8')) ?? [];
  const described = Array.from(section.matchAll(/^\| `([\w.]+)` +\|/gm), ([, name = '']) => name);
  expect(described.sort()).toEqual(names);
});
