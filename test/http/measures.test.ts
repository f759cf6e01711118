import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGroup, document } from '../../functions/shared/http/index.ts';
import { countPages, measure } from '../../functions/shared/measures.ts';
import { CONTEXT, gatewayEvent } from '../support/gateway-event.ts';

/** Lines of the log that CloudWatch makes metrics of (Amazon CloudWatch Logs, "Embedded metric format"). */

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)) as Record<string, unknown>);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function request(metrics: string | null, documents: number): Promise<Record<string, unknown>> {
  const serve = createGroup(
    'templates',
    {
      listTemplates: async () => {
        for (let made = 0; made < documents; made += 1) {
          measure('documents', 1);
          measure('pages', 3);
        }
        return document({ body: Buffer.from('four'), contentType: 'text/plain', filename: 'a.txt' });
      },
    },
    { metrics },
  );
  await serve(gatewayEvent({ method: 'GET', path: '/v1/template' }), CONTEXT);
  return lines.findLast(({ message }) => message === 'request') ?? {};
}

it('names each measure of a request with its unit, and omits those that are zero', async () => {
  const line = await request('Platen/live', 2);
  expect(line).toMatchObject({ tenant: 'acme', documents: 2, pages: 6, bytes: 4, status: 200 });
  expect(line['_aws']).toEqual({
    Timestamp: expect.any(Number) as number,
    CloudWatchMetrics: [
      {
        Namespace: 'Platen/live',
        Dimensions: [[]],
        Metrics: [
          { Name: 'documents', Unit: 'Count' },
          { Name: 'pages', Unit: 'Count' },
          { Name: 'bytes', Unit: 'Bytes' },
        ],
      },
    ],
  });
  const { _aws: directive } = await request('Platen/live', 0);
  expect(JSON.stringify(directive)).not.toContain('documents');
});

it('measures each of many requests at once for itself', async () => {
  await Promise.all([request(null, 1), request(null, 5), request(null, 9)]);
  const counted = lines.filter(({ message }) => message === 'request').map(({ documents }) => documents);
  expect(counted.sort()).toEqual([1, 5, 9]);
});

it('has no metrics where the deployment names no place for them', async () => {
  expect(await request(null, 1)).not.toHaveProperty('_aws');
});

it.each([
  ['<< /Type /Catalog >> << /Type /Pages /Count 2 >> << /Type /Page /Parent 1 0 R >> << /Type /Page>>', 2],
  ['<</Type/Pages/Kids[1 0 R]>><</Type/Page/Parent 2 0 R>><</Type/PageLabel>>', 1],
  ['', 0],
])('counts pages as engines write them: %s', (pdf, pages) => {
  expect(countPages(Buffer.from(pdf))).toBe(pages);
});
