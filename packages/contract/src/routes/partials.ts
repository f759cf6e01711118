import * as z from 'zod';
import type { Route } from '../route.ts';
import { pageQuery } from './common.ts';

/** Routes for partials, which the templates of a tenant include (I-39). */

const params = { name: 'Name of the partial: a path, with slashes or `%2F`.' };

export const partialRoutes = [
  {
    operation: 'listPartials',
    method: 'GET',
    path: '/v1/partials',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the partials, by name',
    query: z.object(pageQuery),
    success: { status: 200, json: true, description: 'The partials.' },
    errors: [],
  },
  {
    operation: 'putPartial',
    method: 'PUT',
    path: '/v1/partials/{name+}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Store a partial, which templates can include',
    params,
    files: { file_data: { required: true, description: 'Text, or a docx for `subdocument()`.' } },
    success: { status: 200, json: true, description: 'The partial.' },
    errors: [
      'template_file_invalid',
      'template_syntax',
      'template_budget',
      'office_file_damaged',
      'office_file_encrypted',
      'file_too_large',
      'too_many_files',
    ],
  },
  {
    operation: 'getPartial',
    method: 'GET',
    path: '/v1/partials/{name+}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get a partial',
    params,
    success: {
      status: 200,
      document: [
        'text/html',
        'text/plain',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
      description: 'The file, unchanged.',
    },
    errors: ['not_found'],
  },
  {
    operation: 'deletePartial',
    method: 'DELETE',
    path: '/v1/partials/{name+}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete a partial; published versions keep it',
    params,
    success: { status: 204, description: 'Deleted.' },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
