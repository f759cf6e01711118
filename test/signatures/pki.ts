import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate authority, a timestamp server and an OCSP responder of OpenSSL, in a folder and on this machine. */

export interface Pki {
  folder: string;
  /** PEM of the authority. */
  authority: Buffer;
  /** Issues a certificate; the same name gives the same one. */
  issue(name: string, options?: IssueOptions): Issued;
  /** The list of what was revoked. */
  list(): Buffer;
  revoke(name: string): void;
}

export interface IssueOptions {
  kind?: 'rsa' | 'ec';
  /** A section of the configuration below. */
  usage?: 'signer' | 'hanging' | 'timestamping' | 'ocsp' | 'listed' | 'tls';
  /** `YYMMDDHHMMSSZ`. */
  from?: string;
  to?: string;
}

export interface Issued {
  key: string;
  certificate: Buffer;
  pkcs12(password: string, ...options: string[]): Buffer;
}

/** @param responder address of the OCSP responder that certificates name */
export function createPki(folder: string, responder: string): Pki {
  mkdirSync(join(folder, 'new'), { recursive: true });
  const openssl = (...args: string[]): Buffer =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'openssl.cnf'), configuration(responder));
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(join(folder, 'serial'), '1000');
  writeFileSync(join(folder, 'crlnumber'), '01');
  newKey(openssl, 'ca', 'ec');
  const config = ['-config', 'openssl.cnf'];
  openssl(
    ...['req', '-x509', ...config, '-key', 'ca.key', '-subj', '/CN=Test Authority/O=Platen', '-days', '3650'],
    ...['-extensions', 'authority', '-out', 'ca.pem'],
  );
  const issue = (name: string, { kind = 'ec', usage = 'signer', from, to }: IssueOptions = {}): Issued => {
    const key = `${name}.key`;
    if (!existsSync(join(folder, key))) {
      newKey(openssl, name, kind);
      openssl('req', '-new', ...config, '-key', key, '-subj', `/CN=${name}/O=Acme`, '-out', `${name}.csr`);
      openssl(
        ...[
          'ca',
          '-batch',
          ...config,
          '-notext',
          '-extensions',
          usage,
          '-in',
          `${name}.csr`,
          '-out',
          `${name}.pem`,
        ],
        ...(from === undefined ? [] : ['-startdate', from]),
        ...(to === undefined ? ['-days', '365'] : ['-enddate', to]),
      );
    }
    return {
      key: readFileSync(join(folder, key), 'utf8'),
      certificate: readFileSync(join(folder, `${name}.pem`)),
      pkcs12: (password, ...options) =>
        openssl(
          ...['pkcs12', '-export', '-inkey', key, '-in', `${name}.pem`, '-certfile', 'ca.pem'],
          ...['-passout', `pass:${password}`, ...options],
        ),
    };
  };
  return {
    folder,
    authority: readFileSync(join(folder, 'ca.pem')),
    issue,
    revoke: (name) => void openssl('ca', ...config, '-revoke', `${name}.pem`),
    list: () => {
      openssl('ca', ...config, '-gencrl', '-out', 'list.pem');
      return openssl('crl', '-in', 'list.pem', '-outform', 'DER');
    },
  };
}

function newKey(openssl: (...args: string[]) => Buffer, name: string, kind: 'rsa' | 'ec'): void {
  const options =
    kind === 'rsa'
      ? ['RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
      : ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  openssl('genpkey', '-algorithm', ...options, '-out', `${name}.key`);
}

export interface PkiServer {
  url: string;
  /** Paths that were asked, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves `/tsa`, `/ocsp` and `/list` with what OpenSSL answers; `/silent` never answers. @param pki once it is there */
export async function servePki(pki: () => Pki): Promise<PkiServer> {
  const asked: string[] = [];
  let requests = 0;
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/silent') return;
    answer(pki(), path, `request-${requests++}`, request).then(
      (bytes) => response.end(bytes),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function answer(pki: Pki, path: string, name: string, request: IncomingMessage): Promise<Buffer> {
  const { folder } = pki;
  const openssl = promisify(execFile);
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  writeFileSync(join(folder, name), Buffer.concat(parts));
  const output = `${name}.answer`;
  if (path === '/list') return pki.list();
  if (path === '/tsa') {
    pki.issue('stamper', { usage: 'timestamping' });
    await openssl('openssl', ['ts', '-reply', '-config', 'openssl.cnf', '-queryfile', name, '-out', output], {
      cwd: folder,
    });
  } else if (path === '/ocsp') {
    pki.issue('responder', { usage: 'ocsp' });
    const signer = ['-rsigner', 'responder.pem', '-rkey', 'responder.key', '-ndays', '7'];
    await openssl(
      'openssl',
      ['ocsp', '-index', 'index.txt', '-CA', 'ca.pem', ...signer, '-reqin', name, '-respout', output],
      { cwd: folder },
    );
  } else throw new Error(`nothing is at ${path}`);
  return readFileSync(join(folder, output));
}

function configuration(responder: string): string {
  return `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
serial = serial
crlnumber = crlnumber
new_certs_dir = new
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_crl_days = 7
policy = any
copy_extensions = none
unique_subject = no
[any]
commonName = supplied
organizationName = optional
[req]
distinguished_name = name
prompt = no
[name]
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[signer]
basicConstraints = CA:false
keyUsage = critical,digitalSignature,nonRepudiation
authorityInfoAccess = OCSP;URI:${responder}/ocsp
authorityKeyIdentifier = keyid
[hanging]
keyUsage = critical,digitalSignature,nonRepudiation
authorityInfoAccess = OCSP;URI:${responder}/silent
[listed]
keyUsage = critical,digitalSignature,nonRepudiation
crlDistributionPoints = URI:${responder}/list
[tls]
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
[timestamping]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
authorityInfoAccess = OCSP;URI:${responder}/ocsp
[ocsp]
keyUsage = critical,digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
[tsa]
default_tsa = stamp
[stamp]
dir = .
serial = tsaserial
crypto_device = builtin
signer_cert = stamper.pem
certs = ca.pem
signer_key = stamper.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;
}
