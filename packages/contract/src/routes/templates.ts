import * as z from 'zod';
import { attachedFields, newTemplateSchema } from '../options.ts';
import type { Success, Route } from '../route.ts';
import {
  cursorQuery,
  fileData,
  headerData,
  footerData,
  formTemplateErrors,
  optionErrors,
  longPageQuery,
  publishField,
  versionErrors,
  versionQuery,
} from './common.ts';

/** Routes for templates with their style and image files. */

const removed: Success = { status: 204, description: 'Deleted.' };

export const templateErrors = [
  'template_syntax',
  'template_budget',
  'template_file_invalid',
  ...formTemplateErrors,
  'office_file_damaged',
  'office_file_encrypted',
  'file_too_large',
  'template_too_large',
] as const;

export const templateRoutes = [
  {
    operation: 'listTemplates',
    method: 'GET',
    path: '/v1/template',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the templates, newest first',
    query: z.object({
      limit: z
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Maximum number of entries. Default: all.' }),
      ...cursorQuery,
      name: z
        .string()
        .max(255)
        .optional()
        .meta({ description: 'Return only templates whose name contains this text, ignoring case.' }),
      tag: z.string().max(50).optional().meta({ description: 'Return only templates with this tag.' }),
      active: z.string().optional().meta({ description: 'Accepted and ignored.' }),
    }),
    success: { status: 200, json: true, description: 'The templates.' },
    errors: [],
  },
  {
    operation: 'addTemplate',
    method: 'POST',
    path: '/v1/template',
    group: 'templates',
    access: 'templates:write',
    summary: 'Add a template',
    form: z.object({ template_data: newTemplateSchema }),
    files: { file_data: fileData, header_data: headerData, footer_data: footerData },
    success: { status: 200, json: true, description: 'The template.' },
    errors: [...templateErrors, ...optionErrors],
  },
  {
    operation: 'getTemplate',
    method: 'GET',
    path: '/v1/template/{id}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Get a template',
    query: z.object(versionQuery),
    success: { status: 200, json: true, description: 'The template.' },
    errors: ['not_found'],
  },
  {
    operation: 'deleteTemplate',
    method: 'DELETE',
    path: '/v1/template/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete a template with all its versions and files',
    query: z.object({
      permanent: z.boolean().optional().meta({
        description:
          'Remove it at once, also if it is deleted already. By default, a deleted template can be restored for 30 days.',
      }),
    }),
    success: removed,
    errors: ['not_found', 'version_conflict'],
  },
  {
    operation: 'listDeletedTemplates',
    method: 'GET',
    path: '/v1/template/deleted',
    group: 'templates',
    access: 'templates:read',
    summary: 'List the deleted templates that can be restored',
    query: z.object(longPageQuery),
    success: { status: 200, json: true, description: 'The deleted templates, those added last first.' },
    errors: [],
  },
  {
    operation: 'restoreTemplate',
    method: 'POST',
    path: '/v1/template/{id}/restore',
    group: 'templates',
    access: 'templates:write',
    summary: 'Restore a deleted template with its versions and files',
    success: { status: 200, json: true, description: 'The template.' },
    errors: ['not_found', 'conflict'],
  },
  {
    operation: 'addStylesheet',
    method: 'POST',
    path: '/v1/template/css/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Add a stylesheet to a template',
    params: { id: 'Id of the template.' },
    form: z.object({
      template_data: z.object({ format: z.enum(['css']), ...attachedFields }).meta({ id: 'StyleFileData' }),
      ...publishField,
    }),
    files: { file_data: { required: true, description: 'The CSS file.' } },
    success: { status: 200, json: true, description: 'The stylesheet.' },
    errors: [...versionErrors, 'stylesheet_invalid', 'file_too_large', 'template_too_large'],
  },
  {
    operation: 'deleteStylesheet',
    method: 'DELETE',
    path: '/v1/template/css/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete a stylesheet',
    params: { id: 'Id of the stylesheet.' },
    query: z.object(publishField),
    success: removed,
    errors: versionErrors,
  },
  {
    operation: 'addImage',
    method: 'POST',
    path: '/v1/template/img/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Add an image to a template',
    params: { id: 'Id of the template.' },
    form: z.object({
      template_data: z
        .object({
          format: z.string().min(1).max(32),
          ...attachedFields,
          uri: z.string().max(255).optional(),
        })
        .meta({ id: 'ImageFileData' }),
      ...publishField,
    }),
    files: { file_data: { required: true, description: 'The image file.' } },
    success: { status: 200, json: true, description: 'The image.' },
    errors: [...versionErrors, 'image_format_unsupported', 'file_too_large', 'template_too_large'],
  },
  {
    operation: 'deleteImage',
    method: 'DELETE',
    path: '/v1/template/img/{id}',
    group: 'templates',
    access: 'templates:write',
    summary: 'Delete an image',
    params: { id: 'Id of the image.' },
    query: z.object(publishField),
    success: removed,
    errors: versionErrors,
  },
  {
    operation: 'getTemplateFile',
    method: 'GET',
    path: '/v1/template/file/{id}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Download the file of a template',
    params: { id: 'Id of the template file (or of its header or footer file), or of the template.' },
    query: z.object(versionQuery),
    success: { status: 200, document: ['*/*'], description: 'The file.' },
    errors: ['not_found'],
  },
  {
    operation: 'getStylesheetFile',
    method: 'GET',
    path: '/v1/css/template/file/{id}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Download a stylesheet',
    query: z.object(versionQuery),
    success: { status: 200, document: ['text/css'], description: 'The file.' },
    errors: ['not_found'],
  },
  {
    operation: 'getStylesheetFileAsCalled',
    method: 'GET',
    path: '/v1/template/css/file/{id}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Download a stylesheet (alias)',
    query: z.object(versionQuery),
    success: { status: 200, document: ['text/css'], description: 'The file.' },
    errors: ['not_found'],
  },
  {
    operation: 'getImageFile',
    method: 'GET',
    path: '/v1/template/img/file/{id}',
    group: 'templates',
    access: 'templates:read',
    summary: 'Download an image',
    query: z.object(versionQuery),
    success: { status: 200, document: ['image/*'], description: 'The file.' },
    errors: ['not_found'],
  },
] as const satisfies readonly Route[];
