import * as z from 'zod';
import type { Route } from '../route.ts';
import { pageQuery } from './common.ts';

/** Routes for translations of texts in templates (I-41). */

const params = { locale: 'A locale such as `de` or `de_AT`.' };

export const translationRoutes = [
  {
    operation: 'listTranslations',
    method: 'GET',
    path: '/v1/translations',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the locales with translations',
    query: z.object(pageQuery),
    success: {
      status: 200,
      json: true,
      description: 'The translations, ordered by locale.',
    },
    errors: [],
  },
  {
    operation: 'putTranslation',
    method: 'PUT',
    path: '/v1/translations/{locale}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Store the translations of a locale',
    params,
    form: z.object({}),
    files: { file_data: { description: 'A gettext catalogue (`.po`).', required: true } },
    success: { status: 200, json: true, description: 'The translations.' },
    errors: ['missing_field', 'invalid_field', 'file_too_large'],
  },
  {
    operation: 'getTranslation',
    method: 'GET',
    path: '/v1/translations/{locale}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get the translations of a locale',
    params,
    success: {
      status: 200,
      document: ['text/x-gettext-translation'],
      description: 'The catalogue, unchanged.',
    },
    errors: ['invalid_field', 'not_found'],
  },
  {
    operation: 'deleteTranslation',
    method: 'DELETE',
    path: '/v1/translations/{locale}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete the translations of a locale',
    params,
    success: { status: 204, description: 'Deleted.' },
    errors: ['invalid_field', 'not_found'],
  },
] as const satisfies readonly Route[];
