/**
 * Runs Gotenberg's integration suite against Platen's routes.
 *
 *   npm run verify -- gotenberg --features=FOLDER [--only=PATTERN] [--at-once=2]
 *
 * FOLDER is `test/integration` of a checkout of gotenberg/gotenberg, with its features and test data. PATTERN selects
 * scenarios by `file:line name`.
 *
 * The scenarios' server has a public address in a network namespace of its own, so that the service refuses private
 * addresses as always. It needs root, unshare and ip of Linux, poppler-utils, qpdf, openssl, and Java for veraPDF.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { veraPdf } from '../conformance/verapdf.ts';
import { STATUS_HOST } from './status-server.ts';
import { HOST } from './world.ts';

/** Any public address: nothing outside the namespace is reached. */
const ADDRESS = '5.5.5.5';
const NETWORK = `ip link set lo up && ip addr add ${ADDRESS}/32 dev lo && mount --bind "$1" /etc/hosts && shift && exec "$@"`;

// The namespace has no access to Maven.
await veraPdf();
const folder = mkdtempSync(path.join(tmpdir(), 'platen-gotenberg-'));
const hosts = path.join(folder, 'hosts');
writeFileSync(hosts, `127.0.0.1 localhost\n::1 localhost\n${ADDRESS} ${HOST} ${STATUS_HOST}\n`);
const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
const names = ['-subj', `/CN=${STATUS_HOST}`, '-addext', `subjectAltName=DNS:${STATUS_HOST}`];
const made = [
  'req',
  '-x509',
  '-newkey',
  'rsa:2048',
  '-nodes',
  '-days',
  '2',
  '-keyout',
  key,
  '-out',
  certificate,
];
execFileSync('openssl', [...made, ...names], { stdio: 'pipe' });
const suite = [process.execPath, path.join(import.meta.dirname, 'suite.ts'), ...process.argv.slice(2)];
const options = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', NETWORK, 'sh', hosts, ...suite];
const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate, STATUS_KEY: key };
const { status, error } = spawnSync('unshare', options, { stdio: 'inherit', env });
rmSync(folder, { recursive: true });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
