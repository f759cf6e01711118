import * as z from 'zod';
import { issuedTokenSchema, newTokenSchema } from '../resources.ts';
import { type Route, SCOPES } from '../route.ts';
import { pageQuery } from './common.ts';

/** The tokens of a tenant (I-2): who may manage them gives nobody more than they have themselves. */

export const tokenRoutes = [
  {
    operation: 'listTokens',
    method: 'GET',
    path: '/v1/tokens',
    group: 'tokens',
    access: 'admin',
    summary: 'List the tokens',
    query: z.object(pageQuery),
    success: {
      status: 200,
      json: z.array(issuedTokenSchema),
      description: 'Those of the tenant, in the order of their ids; a token itself is never told.',
    },
    errors: [],
  },
  {
    operation: 'createToken',
    method: 'POST',
    path: '/v1/tokens',
    group: 'tokens',
    access: 'admin',
    summary: 'Make a token',
    form: z.object({
      name: z.string().min(1).max(100).optional().meta({ description: 'What it is for.' }),
      scopes: z
        .array(z.enum(SCOPES))
        .min(1)
        .max(SCOPES.length)
        .optional()
        .meta({ description: 'None that this token lacks. Default: all that it has but `admin`.' }),
      expires_at: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: 'ISO 8601. No later than this token itself, which is the default.' }),
      rate: z
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Requests in a minute; no more than this token has, which is the default.' }),
      quota: z.number().int().min(1).optional().meta({ description: 'The same for a calendar month, UTC.' }),
    }),
    success: { status: 200, json: newTokenSchema, description: 'The token, which is told this once.' },
    errors: ['insufficient_scope'],
  },
  {
    operation: 'revokeToken',
    method: 'DELETE',
    path: '/v1/tokens/{id}',
    group: 'tokens',
    access: 'admin',
    summary: 'Revoke a token',
    success: {
      status: 204,
      description:
        'Revoked. Requests with it may be answered for five minutes more, but for those of tokens.',
    },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
