import * as z from 'zod';
import type { Route } from '../route.ts';
import { pageQuery } from './common.ts';

/** Routes for the fonts of a tenant (I-40). */

const params = { filename: 'Name of the file, such as `Inter-Bold.woff2`.' };

export const fontRoutes = [
  {
    operation: 'listFonts',
    method: 'GET',
    path: '/v1/fonts',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the fonts, by file name',
    query: z.object(pageQuery),
    success: { status: 200, json: true, description: 'The fonts.' },
    errors: [],
  },
  {
    operation: 'putFont',
    method: 'PUT',
    path: '/v1/fonts/{filename}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Store a font, which documents use by its family name',
    params,
    files: { file_data: { required: true, description: 'TrueType, OpenType, a collection, WOFF or WOFF2.' } },
    success: { status: 200, json: true, description: 'The font.' },
    errors: ['font_invalid', 'file_too_large', 'too_many_files'],
  },
  {
    operation: 'deleteFont',
    method: 'DELETE',
    path: '/v1/fonts/{filename}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete a font',
    params,
    success: { status: 204, description: 'Deleted.' },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
