import type { Route } from '../route.ts';

/** Routes that describe the service. */

export const serviceRoutes = [
  {
    operation: 'getToken',
    method: 'GET',
    path: '/v1/token',
    group: 'service',
    access: 'token',
    summary: 'Get the tenant and scopes of the token',
    success: { status: 200, json: true, description: 'Tenant, scopes and expiry.' },
    errors: [],
  },
  {
    operation: 'getOpenApi',
    method: 'GET',
    path: '/v1/openapi.json',
    group: 'service',
    access: 'open',
    summary: 'Get this OpenAPI document',
    success: { status: 200, json: true, description: 'An OpenAPI 3.1 document.' },
    errors: [],
  },
] as const satisfies readonly Route[];
