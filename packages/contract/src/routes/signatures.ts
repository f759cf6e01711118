import * as z from 'zod';
import type { Route } from '../route.ts';
import { signFields } from '../signatures.ts';
import { pdfDocument, pdfErrors } from './common.ts';
import { pdfFile } from './pdf-fields.ts';

/** Routes for keys, signing and verifying (I-45). */

const name = 'Name of the key: letters, digits, dots, hyphens and underscores, at most 64.';

export const signatureRoutes = [
  {
    operation: 'putKey',
    method: 'PUT',
    path: '/v1/keys/{name}',
    group: 'pdf',
    access: 'keys',
    summary: 'Store a signing key or a trusted certificate',
    params: { name },
    form: z.object({
      password: z.string().max(1000).optional().meta({ description: 'Opens `pkcs12`.', format: 'password' }),
      kms_key_id: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .meta({ description: 'Id, ARN or alias of a key in AWS KMS; `certificate` is then its chain.' }),
    }),
    files: {
      pkcs12: { required: false, description: 'A PKCS #12 file with key and certificates.' },
      certificate: {
        required: false,
        description:
          'Certificates in PEM: trusted certificates or, with `kms_key_id`, the certificate of the key followed by its issuers.',
      },
      certificate_chain: {
        required: false,
        description: "With `kms_key_id`: the certificates of the key's issuers, or the whole chain.",
      },
    },
    success: { status: 200, json: true, description: 'Description of the key.' },
    errors: ['file_too_large'],
  },
  {
    operation: 'getKey',
    method: 'GET',
    path: '/v1/keys/{name}',
    group: 'pdf',
    access: 'keys',
    summary: 'Get a description of a key',
    params: { name },
    success: { status: 200, json: true, description: 'Description of the key.' },
    errors: ['not_found'],
  },
  {
    operation: 'deleteKey',
    method: 'DELETE',
    path: '/v1/keys/{name}',
    group: 'pdf',
    access: 'keys',
    summary: 'Delete a key',
    params: { name },
    success: { status: 204, description: 'Deleted completely.' },
    errors: ['not_found'],
  },
  {
    operation: 'signPdf',
    method: 'POST',
    path: '/v1/pdf/sign',
    group: 'pdf',
    access: 'pdf',
    summary: 'Sign a PDF',
    form: z.object({
      ...signFields,
    }),
    files: {
      file: pdfFile,
      part: { required: false, many: true, description: 'The image that `appearance` names.' },
    },
    success: pdfDocument,
    errors: [
      ...pdfErrors,
      'image_invalid',
      'image_too_large',
      'engine_missing',
      'page_range_outside_document',
      'not_found',
      'certificate_expired',
      'timestamp_unavailable',
      'revocation_unavailable',
      'option_not_supported',
      'file_too_large',
    ],
  },
  {
    operation: 'verifyPdf',
    method: 'POST',
    path: '/v1/pdf/verify',
    group: 'pdf',
    access: 'pdf',
    summary: 'Verify the signatures of a PDF',
    form: z.object({}),
    files: { file: pdfFile },
    success: {
      status: 200,
      json: true,
      description: 'All signatures, in the order of the form fields.',
    },
    errors: [...pdfErrors, 'file_too_large'],
  },
] as const satisfies readonly Route[];
