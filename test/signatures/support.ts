import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { readPkcs12 } from '../../packages/signatures/src/pkcs12.ts';
import { keySigner, type Signer } from '../../packages/signatures/src/signer.ts';
import { createPki, type IssueOptions, type Pki, type PkiServer, servePki } from './pki.ts';

/** What pyHanko says of one signature. */
export interface Judged {
  valid: boolean;
  coverage: string;
  changes: string;
  permitted: boolean;
  stamped: boolean;
  stored: boolean;
}

export interface Authority {
  pki: Pki;
  server: PkiServer;
  anchors: X509Certificate[];
  signer(name: string, options?: IssueOptions): Signer;
  /** Has pyHanko look at PDFs, all of them in one process. */
  judge(pdfs: readonly Uint8Array[]): Judged[][];
  close(): Promise<void>;
}

/** An authority of its own, with its servers. */
export async function openAuthority(): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pki-'));
  const server = await servePki(() => pki);
  const pki = createPki(folder, server.url);
  return {
    pki,
    server,
    anchors: [new X509Certificate(pki.authority)],
    signer: (name, options) => keySigner(readPkcs12(pki.issue(name, options).pkcs12('pw'), 'pw')),
    judge: (pdfs) => judge(pdfs, join(folder, 'ca.pem')),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function judge(pdfs: readonly Uint8Array[], anchor: string): Judged[][] {
  const folder = mkdtempSync(join(tmpdir(), 'platen-judge-'));
  try {
    const paths = pdfs.map((pdf, index) => {
      const path = join(folder, `${index}.pdf`);
      writeFileSync(path, pdf);
      execFileSync('qpdf', ['--check', path], { stdio: 'pipe' });
      return path;
    });
    const found = execFileSync(
      '/usr/bin/python3',
      [join(import.meta.dirname, 'judge.py'), anchor, ...paths],
      {
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: resolve('node_modules/.cache/platen/python') },
      },
    );
    return JSON.parse(found) as Judged[][];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A document of one page, with the entries given in its catalog and page. */
export function plainPdf({ catalog = '', page = '' } = {}): Buffer {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>/Contents 4 0 R${page}>>`,
    '<</Length 20>>\nstream\n0 0 1 rg 9 9 9 9 re f\nendstream'.replace('20', '21'),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
