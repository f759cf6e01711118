import * as z from 'zod';
import { templateChangeSchema } from '../options.ts';
import type { Route } from '../route.ts';
import { changedFiles, optionErrors, versionQuery } from './common.ts';
import { templateErrors } from './templates.ts';

/** Routes for the data of templates: the fields they use, and samples. */

const sampleParams = { id: 'Id of the template.', name: 'Name of the sample.' };

export const dataRoutes = [
  {
    operation: 'getFields',
    method: 'GET',
    path: '/v1/template/{id}/fields',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get the JSON Schema of the data that a template uses',
    query: z.object(versionQuery),
    success: { status: 200, json: true, description: 'JSON Schema 2020-12.' },
    errors: ['not_found'],
  },
  {
    operation: 'getChangedFields',
    method: 'POST',
    path: '/v1/template/{id}/fields',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get the JSON Schema of the data that a template would use after a change',
    form: z.object({ template_data: templateChangeSchema.optional() }),
    files: changedFiles,
    success: { status: 200, json: true, description: 'JSON Schema 2020-12. Nothing is stored.' },
    errors: ['not_found', ...templateErrors, ...optionErrors],
  },
  {
    operation: 'putSample',
    method: 'PUT',
    path: '/v1/template/{id}/samples/{name}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Store sample data for a template',
    params: sampleParams,
    body: 'json',
    success: { status: 200, json: true, description: 'The sample.' },
    errors: ['not_found', 'malformed_json', 'file_too_large', 'template_too_large'],
  },
  {
    operation: 'getSample',
    method: 'GET',
    path: '/v1/template/{id}/samples/{name}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get a sample',
    params: sampleParams,
    success: { status: 200, document: ['application/json'], description: 'The JSON, unchanged.' },
    errors: ['not_found'],
  },
  {
    operation: 'deleteSample',
    method: 'DELETE',
    path: '/v1/template/{id}/samples/{name}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete a sample',
    params: sampleParams,
    success: { status: 204, description: 'Deleted.' },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
