import { expect, it } from 'vitest';
import { acceptsGzip, compressedHead } from '../../functions/shared/http/compression.ts';
import { gatewayEvent } from '../support/gateway-event.ts';

/** Which answers are compressed, and for whom (RFC 9110, 12.5.3). */

it.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['*', true],
  ['*;q=0.5, gzip;q=0', false],
  ['gzip;q=0', false],
  ['identity', false],
  ['br', false],
  ['', false],
])('Accept-Encoding: %s', (accepted, expected) => {
  expect(acceptsGzip(accepted)).toBe(expected);
});

const LONG = 'x'.repeat(2_000);
const headOf = (type: string, body: string | Uint8Array | null, accepted = 'gzip') =>
  compressedHead(gatewayEvent({ method: 'GET', path: '/v1/x', headers: { 'Accept-Encoding': accepted } }), {
    headers: { 'content-type': type, 'content-length': '2000' },
    body,
  });

it.each([
  'application/json; charset=utf-8',
  'application/problem+json',
  'text/html; charset=utf-8',
  'text/plain',
  'application/xml',
  'image/svg+xml',
])('%s is compressed', (type) => {
  expect(headOf(type, LONG)).toEqual({
    headers: { 'content-type': type, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    isCompressed: true,
  });
});

it.each([
  'application/pdf',
  'application/zip',
  'image/png',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
])('%s stays as it is', (type) => {
  expect(headOf(type, Buffer.from(LONG))).toEqual({
    headers: { 'content-type': type, 'content-length': '2000' },
    isCompressed: false,
  });
});

it('short answers, empty ones, and those for other callers stay as they are', () => {
  expect(headOf('application/json', 'short').isCompressed).toBe(false);
  expect(headOf('application/json', null).isCompressed).toBe(false);
  expect(headOf('application/json', LONG, 'identity')).toEqual({
    headers: { 'content-type': 'application/json', 'content-length': '2000', vary: 'accept-encoding' },
    isCompressed: false,
  });
});
