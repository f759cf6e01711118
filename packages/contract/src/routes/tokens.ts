import * as z from 'zod';
import { type Route, SCOPES } from '../route.ts';
import { pageQuery } from './common.ts';

/** Routes for the tokens of a tenant (I-2): a token that manages tokens can only grant its own rights. */

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
      json: true,
      description: 'The tokens of the tenant, ordered by id, without the tokens themselves.',
    },
    errors: [],
  },
  {
    operation: 'createToken',
    method: 'POST',
    path: '/v1/tokens',
    group: 'tokens',
    access: 'admin',
    summary: 'Create a token',
    form: z.object({
      name: z.string().min(1).max(100).optional().meta({ description: 'Purpose of the token.' }),
      scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional().meta({
        description: 'Scopes, a subset of those of this token. Default: all of them except `admin`.',
      }),
      expires_at: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: 'ISO 8601; no later than the expiry of this token, which is the default.' }),
      rate: z
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Requests per minute; at most the rate of this token, which is the default.' }),
      quota: z.number().int().min(1).optional().meta({
        description:
          'Requests per calendar month (UTC); at most the quota of this token, which is the default.',
      }),
    }),
    success: { status: 200, json: true, description: 'The token, which is shown only once.' },
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
        'Revoked. Requests with it may work for another five minutes, except on the routes of tokens.',
    },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
