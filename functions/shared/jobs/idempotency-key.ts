import { PlatenError } from '@platen/core/errors';
import { type GatewayEvent, header } from '../http/event.ts';

const MAX_KEY_LENGTH = 255;

/** @returns null when there is none @throws PlatenError `invalid_field` */
export function idempotencyKey(event: GatewayEvent): string | null {
  const key = header(event, 'idempotency-key')?.trim() ?? '';
  if (key === '') return null;
  if (/^[\x20-\x7e]*$/.test(key) && key.length <= MAX_KEY_LENGTH) return key;
  const message = `Idempotency-Key must be at most ${MAX_KEY_LENGTH} ASCII characters`;
  throw new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: 'Idempotency-Key', message }],
  });
}
