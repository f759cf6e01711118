import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signatureOperations, type KeyUse } from '../../functions/pdf/signatures.ts';
import { createGroup, type Operations } from '../../functions/shared/http/index.ts';
import { CONTEXT, gatewayEvent, multipart } from '../support/gateway-event.ts';
import { field, file, post } from './ask.ts';
import { rawPdf, workspace } from './fixtures.ts';

/** Parts that nothing names have a Warning in the routes that take parts with any names, too (I-7). */

function form(path: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DA (/Helv 10 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /F 4 /Rect [10 10 290 40] /P 3 0 R >>',
  ]);
}

it('when a form is filled', async () => {
  const at = workspace();
  const parts = [
    file(form(at('a.pdf'))),
    field('data', { x: 'named' }),
    field('flaten', 'true'),
    field('named', 'x'),
  ];
  const { status, headers } = await post('/v1/pdf/form/fill', parts, at('o.pdf'));
  expect(status).toBe(200);
  expect(headers['warning']).toContain('unknown field flaten ignored');
  expect(headers['warning']).not.toContain('unknown field named');
});

it('when a PDF is signed', async () => {
  const use = { signerOf: () => Promise.resolve((pdf: Uint8Array) => Promise.resolve(pdf)) };
  const serve = createGroup('pdf', signatureOperations(use as unknown as KeyUse) as Operations<'pdf'>);
  const at = workspace();
  const parts = [
    { name: 'file', content: readFileSync(form(at('a.pdf'))), filename: 'a.pdf' },
    { name: 'key', content: 'seal' },
    { name: 'appearance', content: '{"x": 1, "y": 1, "w": 5, "h": 2, "image": "seal"}' },
    { name: 'seal', content: 'picture' },
    { name: 'reson', content: 'Paid' },
  ];
  const event = gatewayEvent({ method: 'POST', path: '/v1/pdf/sign', scopes: 'pdf', ...multipart(parts) });
  const { status, headers } = await serve(event, CONTEXT);
  expect(status).toBe(200);
  expect(headers['warning']).toContain('unknown field reson ignored');
  expect(headers['warning']).not.toContain('unknown field seal');
});
