/**
 * `npm run verify:gotenberg -- --features=FOLDER [--only=PATTERN] [--at-once=2]`: runs Gotenberg's integration suite
 * against Platen's routes. FOLDER is `test/integration` of a checkout of gotenberg/gotenberg, with its features and
 * test data. PATTERN selects scenarios by `file:line name`.
 *
 * The scenarios' server has a public address in a network namespace of its own, so that the service refuses private
 * addresses as always. It needs root, unshare and ip of Linux, poppler-utils, qpdf, and Java for veraPDF.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { veraPdf } from '../conformance/verapdf.ts';
import { HOST } from './world.ts';

/** Any public address: nothing outside the namespace is reached. */
const ADDRESS = '5.5.5.5';
const NETWORK = `ip link set lo up && ip addr add ${ADDRESS}/32 dev lo && mount --bind "$1" /etc/hosts && shift && exec "$@"`;

// The namespace has no access to Maven.
await veraPdf();
const folder = mkdtempSync(path.join(tmpdir(), 'platen-gotenberg-'));
const hosts = path.join(folder, 'hosts');
writeFileSync(hosts, `127.0.0.1 localhost\n::1 localhost\n${ADDRESS} ${HOST}\n`);
const suite = [process.execPath, path.join(import.meta.dirname, 'suite.ts'), ...process.argv.slice(2)];
const options = ['--net', '--mount', '--propagation', 'private', 'sh', '-c', NETWORK, 'sh', hosts, ...suite];
const { status, error } = spawnSync('unshare', options, { stdio: 'inherit' });
rmSync(folder, { recursive: true });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
