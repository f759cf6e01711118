import * as z from 'zod';
import { templateChangeSchema } from '../options.ts';
import { versionText } from '../option-values.ts';
import type { Route } from '../route.ts';
import {
  changedFiles,
  longPageQuery,
  optionErrors,
  pageQuery,
  publishField,
  versionErrors,
} from './common.ts';
import { templateErrors } from './templates.ts';

/** Routes for versions of templates. */

export const versionRoutes = [
  {
    operation: 'changeTemplate',
    method: 'PUT',
    path: '/v1/template/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Create a new version of a template',
    form: z.object({ template_data: templateChangeSchema.optional(), ...publishField }),
    files: changedFiles,
    success: { status: 200, json: true, description: 'The new version of the template.' },
    errors: [...versionErrors, ...templateErrors, ...optionErrors],
  },
  {
    operation: 'listVersions',
    method: 'GET',
    path: '/v1/template/{id}/versions',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the versions of a template, newest first',
    query: z.object(pageQuery),
    success: {
      status: 200,
      json: true,
      description: 'The stored versions.',
    },
    errors: ['not_found'],
  },
  {
    operation: 'listHistory',
    method: 'GET',
    path: '/v1/template/{id}/history',
    group: 'templates',
    access: 'templates:read',
    summary: 'List what happened to a template, newest first',
    query: z.object(longPageQuery),
    success: {
      status: 200,
      json: true,
      description: 'What was done, when and by whom. It begins with the first change that this release saw.',
    },
    errors: ['not_found'],
  },
  {
    operation: 'publishVersion',
    method: 'POST',
    path: '/v1/template/{id}/publish',
    group: 'templates',
    access: 'templates:write',
    summary: 'Publish a version of a template',
    form: z.object({
      version: versionText().meta({ description: 'The number of the version, or `latest`.' }),
    }),
    success: { status: 200, json: true, description: 'The published version of the template.' },
    errors: versionErrors,
  },
] as const satisfies readonly Route[];
