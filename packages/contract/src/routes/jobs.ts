import * as z from 'zod';
import type { Route, Scope } from '../route.ts';
import { cursorQuery, RENDERED, ZIP } from './common.ts';

/** Routes for uploads and asynchronous work. */

/** Scopes of callers that send files: for a template, a rendering or a transformation. */
const SENDERS = ['templates:write', 'render', 'pdf'] as const satisfies readonly Scope[];

/**
 * Scopes of callers that create jobs and may set a `callback_url`. A token reaches the jobs that it could
 * have created.
 */
const JOB_MAKERS = ['render', 'pdf'] as const satisfies readonly Scope[];

export const jobRoutes = [
  {
    operation: 'createUpload',
    method: 'POST',
    path: '/v1/uploads',
    group: 'jobs',
    access: SENDERS,
    summary: 'Get a presigned upload for a large file',
    form: z.object({
      size: z.number().int().min(1).optional(),
      content_type: z.string().max(255).optional(),
      name: z.string().max(255).optional(),
    }),
    success: { status: 200, json: true, description: 'Where to send the file.' },
    errors: ['file_too_large'],
  },
  {
    operation: 'listJobs',
    method: 'GET',
    path: '/v1/jobs',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'List the jobs, newest first',
    query: z.object({
      limit: z
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Maximum number of entries. Default 100.' }),
      ...cursorQuery,
    }),
    success: { status: 200, json: true, description: 'The jobs.' },
    errors: [],
  },
  {
    operation: 'getJob',
    method: 'GET',
    path: '/v1/jobs/{id}',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'Get a job',
    success: { status: 200, json: true, description: 'The job.' },
    errors: ['not_found'],
  },
  {
    operation: 'cancelJob',
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'Cancel a running job, or delete one that has ended',
    success: { status: 204, description: 'Cancelled or deleted, with its result.' },
    errors: ['not_found'],
  },
  {
    operation: 'getJobResult',
    method: 'GET',
    path: '/v1/jobs/{id}/result',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'Download the result of a job',
    query: z.object({
      redirect: z
        .boolean()
        .optional()
        .meta({ description: 'Redirect (303) to the storage, for a result of any size. Default false.' }),
    }),
    success: {
      status: 200,
      document: [...RENDERED, ...ZIP, 'image/*'],
      description: 'The result. For a result of more than 200 MB, a redirect (303) to its download.',
    },
    errors: ['not_found', 'job_not_finished', 'job_without_result'],
  },
  {
    operation: 'getJobReport',
    method: 'GET',
    path: '/v1/jobs/{id}/report',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'Get the report of a rendering job',
    success: {
      status: 200,
      json: true,
      description: 'The report on the document, or on all documents of a batch together.',
    },
    errors: ['not_found', 'job_not_finished'],
  },
  {
    operation: 'getWebhook',
    method: 'GET',
    path: '/v1/webhook',
    group: 'jobs',
    access: JOB_MAKERS,
    summary: 'Get the secret that signs calls to callback_url',
    success: { status: 200, json: true, description: 'The secret of the tenant.' },
    errors: [],
  },
] as const satisfies readonly Route[];
