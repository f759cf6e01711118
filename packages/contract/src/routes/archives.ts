import * as z from 'zod';
import type { Route } from '../route.ts';
import { optionErrors, publishField, versionErrors, versionQuery, ZIP } from './common.ts';
import { templateErrors } from './templates.ts';

/** Routes for the templates of a tenant, with all their files, as one ZIP. */

export const archiveRoutes = [
  {
    operation: 'exportTemplates',
    method: 'GET',
    path: '/v1/export',
    group: 'templates',
    access: 'templates:read',
    summary: 'Export templates, partials, fonts and translations as a ZIP',
    query: z.object({
      ...versionQuery,
      template: z.string().max(8000).optional().meta({
        description:
          'Ids of templates, separated by commas, to export these without partials, fonts and translations. Default: everything.',
      }),
    }),
    success: { status: 200, document: ZIP, description: 'A folder of files for each template.' },
    errors: ['not_found'],
  },
  {
    operation: 'importTemplates',
    method: 'POST',
    path: '/v1/import',
    group: 'templates',
    access: 'templates:write',
    summary: 'Import templates, partials, fonts and translations from an exported ZIP',
    form: z.object({
      ...publishField,
      note: z.string().max(1000).optional().meta({ description: 'Reason for the new versions: free text.' }),
    }),
    files: { file_data: { required: true, description: 'The ZIP.' } },
    success: { status: 200, json: true, description: 'The result for each file and folder.' },
    errors: [
      ...versionErrors,
      ...templateErrors,
      ...optionErrors,
      'archive_invalid',
      'malformed_json',
      'font_invalid',
      'image_format_unsupported',
      'stylesheet_invalid',
      'too_many_files',
    ],
  },
] as const satisfies readonly Route[];
