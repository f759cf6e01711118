import type { ErrorCode } from '@platen/core/errors';

/**
 * Every error code of the service with its HTTP status and title (I-4). Codes are part of the interface and
 * are never renamed, because clients branch on them.
 */
export const ERRORS = {
  // 400: the request cannot be read
  malformed_request: { status: 400, title: 'The request cannot be read' },
  malformed_json: { status: 400, title: 'A field is not valid JSON' },
  malformed_multipart: { status: 400, title: 'The multipart body cannot be read' },
  // 401, 403
  unauthorized: { status: 401, title: 'A valid token is required' },
  token_expired: { status: 401, title: 'The token has expired' },
  forbidden: { status: 403, title: 'Not allowed' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  // 404, 405
  not_found: { status: 404, title: 'No such resource' },
  upload_not_found: { status: 404, title: 'No such upload' },
  route_not_found: { status: 404, title: 'No such address' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  // 409, 412, 413, 415
  conflict: { status: 409, title: 'The resource was changed at the same time' },
  job_not_finished: { status: 409, title: 'The job has not finished' },
  job_without_result: { status: 409, title: 'The job ended without a result' },
  request_in_progress: { status: 409, title: 'The same request is in progress' },
  version_conflict: { status: 412, title: 'The template has another version' },
  request_too_large: { status: 413, title: 'The request is too large' },
  file_too_large: { status: 413, title: 'A file is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  // 422: understood but not valid
  invalid_field: { status: 422, title: 'A field is not valid' },
  missing_field: { status: 422, title: 'A field is missing' },
  invalid_option: { status: 422, title: 'An option is not valid' },
  option_not_supported: { status: 422, title: 'An option cannot be honoured' },
  unsupported_output_format: { status: 422, title: 'The template cannot be rendered in that format' },
  template_file_invalid: { status: 422, title: 'The file does not have the given format' },
  template_syntax: { status: 422, title: 'The template cannot be parsed' },
  template_render: { status: 422, title: 'The template cannot be filled' },
  template_budget: { status: 422, title: 'The template exceeds a limit' },
  too_many_files: { status: 422, title: 'There are too many files of that kind' },
  template_too_large: { status: 422, title: 'The template has too many files, or texts that are too long' },
  archive_invalid: { status: 422, title: 'The ZIP cannot be imported' },
  stylesheet_invalid: { status: 422, title: 'The file is not a stylesheet' },
  render_data_invalid: { status: 422, title: 'The render data is not valid' },
  batch_empty: { status: 422, title: 'The batch contains no records' },
  batch_too_large: { status: 422, title: 'The batch contains too many records' },
  batch_failed: { status: 422, title: 'Some records cannot be rendered' },
  page_range_invalid: { status: 422, title: 'The page range is not valid' },
  page_range_outside_document: { status: 422, title: 'The page range is outside the document' },
  document_too_large: { status: 422, title: 'The document is too large to print' },
  document_faulty: { status: 422, title: 'The document has faults that the request forbids' },
  print_failed: { status: 422, title: 'The document cannot be printed' },
  image_invalid: { status: 422, title: 'The image cannot be read' },
  image_format_unsupported: { status: 422, title: 'The image format is not supported' },
  image_too_large: { status: 413, title: 'The image is too large' },
  answer_too_large: { status: 422, title: 'The result is too large for a response' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request' },
  font_invalid: { status: 422, title: 'The file is not a usable font' },
  barcode_invalid: { status: 422, title: 'The data does not fit the barcode' },
  pdf_invalid: { status: 422, title: 'The file is not a PDF' },
  pdf_damaged: { status: 422, title: 'The PDF is damaged' },
  pdf_password_required: { status: 422, title: 'The PDF needs a password' },
  pdf_password_wrong: { status: 422, title: 'The password does not open the PDF' },
  pdf_too_complex: { status: 422, title: 'The PDF exceeds a limit' },
  factur_x_invalid: { status: 422, title: 'The invoice is not valid' },
  pages_invalid: { status: 422, title: 'The page numbers are not valid' },
  steps_invalid: { status: 422, title: 'The steps are not valid' },
  pdf_signed: { status: 422, title: 'The PDF is signed' },
  form_field_unknown: { status: 422, title: 'The form has no such field' },
  form_value_invalid: { status: 422, title: 'The value does not fit the field' },
  form_xfa: { status: 422, title: 'The form is an XFA form' },
  not_conformant: { status: 422, title: 'The document does not meet the standard' },
  office_file_damaged: { status: 422, title: 'The office file is damaged' },
  office_file_encrypted: { status: 422, title: 'The office file is password-protected' },
  certificate_expired: { status: 422, title: 'The certificate is not valid now' },
  timestamp_unavailable: { status: 422, title: 'No timestamp is available' },
  revocation_unavailable: { status: 422, title: 'The revocation status of a certificate is unknown' },
  url_not_allowed: { status: 422, title: 'The address is not allowed' },
  url_unreachable: { status: 422, title: 'The address cannot be loaded' },
  // 429 and above
  too_many_requests: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'The monthly quota is exhausted' },
  internal_error: { status: 500, title: 'Something went wrong in the service' },
  not_implemented: { status: 501, title: 'Not available on this deployment' },
  engine_missing: { status: 501, title: 'An engine is not installed' },
  bad_gateway: { status: 502, title: 'The function did not answer' },
  service_busy: { status: 503, title: 'The service cannot take the request right now' },
  engine_unavailable: { status: 503, title: 'The engine is not available right now' },
  storage_unavailable: { status: 503, title: 'The storage is not available right now' },
  deadline_exceeded: { status: 504, title: 'The work took too long' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

export type { ErrorCode };

/**
 * Returns the `type` of RFC 9457: a stable URI for each code. It is unique to this service and does not
 * resolve.
 */
export function problemType(code: ErrorCode): string {
  return `urn:platen:problem:${code.replaceAll('_', '-')}`;
}
