import type { ErrorCode } from '@platen/core/errors';
import { call, type ErrorPage, render } from './page.ts';

/** Errors of PDFs and signatures, and of the service itself. */

export const PDF_ERRORS = {
  page_range_invalid: {
    cause: 'The pages are not written as the service reads them.',
    remedy: 'Write numbers and ranges with commas: `1-3,7,9-`.',
    request: render('<p>Hello', `-F render_options='{"page_range": "one"}'`),
    detail:
      'render_options.page_range is "one", but must be pages such as 1-3,5,8- or -3: `one` is not a page or a range of pages.',
  },
  page_range_outside_document: {
    cause: 'The document has fewer pages than the request asks for.',
    remedy: 'Ask for pages that exist. `POST /v1/pdf/info` counts them.',
    request: render('<p>Hello', `-F render_options='{"page_range": "7"}'`),
    detail: '`page_range`: there is no page 7: the document has 1 page.',
  },
  pages_invalid: {
    cause: 'The places where a PDF is to be split are not in the document, or not in ascending order.',
    remedy: '`POST /v1/pdf/info` counts the pages. They are counted from 1.',
    request: call('pdf/split', '-F file=@report.pdf', "-F 'splits=[99]'"),
    detail: '`splits`: there is no page 99: the document has 12 pages.',
  },
  pdf_invalid: {
    cause: 'The file is not a PDF.',
    remedy: 'Check what you send: an error page saved as `report.pdf` is html. With curl, files need `@`.',
    request: call('pdf/info', '-F file=@logo.png'),
    detail: 'The file is not a PDF.',
  },
  pdf_damaged: {
    cause: 'The file begins as a PDF, but cannot be read, and repairing it would lose content.',
    remedy: 'Transfer or export the file again.',
    request: `printf '%%PDF-1.7\\nnothing' > damaged.pdf\n${call('pdf/info', '-F file=@damaged.pdf')}`,
    detail: 'The PDF is damaged and cannot be repaired.',
  },
  pdf_password_required: {
    cause: 'The PDF can be opened only with a password.',
    remedy: 'Send `input_password`, or remove the protection with `POST /v1/pdf/decrypt`.',
    request: call('pdf/info', '-F file=@locked.pdf'),
    detail: 'The PDF is protected: send its password in `input_password`.',
  },
  pdf_password_wrong: {
    cause: '`input_password` does not open the PDF.',
    remedy: 'Check the password, and how your shell quotes it.',
    request: call('pdf/info', '-F file=@locked.pdf', '-F input_password=wrong'),
    detail: 'The password in `input_password` does not open the PDF.',
  },
  pdf_too_complex: {
    cause: 'The PDF has more objects, or larger ones, than the service reads ([limits](../limits.md)).',
    remedy: 'Split the PDF in the program that made it.',
    detail: 'An object of the PDF needs more memory than is allowed.',
  },
  pdf_signed: {
    cause: 'The operation would break the signatures of the PDF.',
    remedy:
      'Do it before you sign, or send `break_signatures=true`: the result then has no valid signatures.',
    request: call('pdf/compress', '-F file=@signed.pdf'),
    detail:
      '`file` is signed, and a change breaks the signature: send `break_signatures` as true if that is meant.',
  },
  steps_invalid: {
    cause: 'A step of the chain is not known, or has a value that it cannot have.',
    remedy:
      'Compare it with [chains of steps](../pdf-steps.md). `steps.schema.json` checks it in your editor.',
    request: call('pdf/process', '-F file1=@report.pdf', `-F steps='[{"shrink": {}}]'`),
    detail:
      'steps[0] must be one of merge, pages, rotate, scale, impose, stamp, watermark, page_numbers, letterhead, attach, outline, metadata, fill, flatten, redact, compress, conform, factur_x, sign, decrypt, encrypt, linearize: `shrink` is not a step.',
  },
  form_field_unknown: {
    cause: 'The form has no field of that name.',
    remedy: '`POST /v1/pdf/form` lists the fields of a form.',
    request: call('pdf/form/fill', '-F file=@form.pdf', `-F data='{"nmae": "Ada"}'`),
    detail: 'The form has no field `nmae`: it has `name`, `address.city`, `agree`, `photo`.',
  },
  form_value_invalid: {
    cause: 'The value does not fit the field: not one of its options, or too long.',
    remedy: '`POST /v1/pdf/form` lists the options of each field.',
    request: call('pdf/form/fill', '-F file=@form.pdf', `-F data='{"agree": "perhaps"}'`),
    detail: '`data.agree`: `perhaps` is not one of `Yes`.',
  },
  form_xfa: {
    cause: 'The form is an XFA form, which no PDF library can fill correctly.',
    remedy: 'Save it as an ordinary form (AcroForm) in the program that made it.',
    detail:
      'The form is an XFA form: its fields are XML that only the program of its vendor shows, not PDF fields.',
  },
  factur_x_invalid: {
    cause: 'The data of the invoice is not complete or contradicts itself. `errors` names each rule.',
    remedy: 'Correct the values that the rules name ([Factur-X](../factur-x.md)).',
    request: render(
      '<p>Invoice',
      `-F render_data='{"number": "1"}'`,
      `-F render_options='{"factur_x": {"profile": "en16931", "data": "."}}'`,
    ),
    detail:
      "The invoice is not valid of the profile en16931: xsd: Element 'ExchangedDocument': Missing child element(s). Expected is ( TypeCode ). There are 22 faults.",
  },
  not_conformant: {
    cause:
      'The document cannot meet the standard that the request asks for. `errors` has the rule and the element.',
    remedy:
      'Correct what the rules name, such as a missing language or a text for a picture ([PDF/A and PDF/UA](../conformance.md)).',
    request: render(
      '<img src="logo.png">',
      '-F img_logo=@logo.png',
      `-F render_options='{"conformance": ["pdf/ua-1"]}'`,
    ),
    detail:
      'The document cannot be pdf/ua-1: The document has no tags, which identify headings, tables and pictures: create it again from its source with tags, or request a level b or u of PDF/A. (and 1 more)',
  },
  certificate_expired: {
    cause: 'The certificate of the key has expired, is not valid yet, or was revoked.',
    remedy: 'Store a key with a valid certificate ([signatures](../signatures.md)).',
    detail: 'The certificate of Example Ltd expired on 2026-01-31.',
  },
  timestamp_unavailable: {
    cause: 'The timestamp authority does not answer, or its answer is not valid.',
    remedy: 'Try again later, or use another authority.',
    detail: 'The levels b-t and b-lt need a timestamp server, and this deployment has none.',
  },
  revocation_unavailable: {
    cause: 'Whether a certificate was revoked cannot be found out: its issuer does not answer.',
    remedy: 'Try again later.',
    detail: 'The revocation status of the certificate of Example Ltd is unknown: its issuer does not answer.',
  },
  internal_error: {
    cause: 'A fault of the service.',
    remedy: 'Report it with the `request_id`, which is in the logs.',
    detail:
      'Something went wrong in the service. Please try again; if the error persists, report the request id.',
  },
  not_implemented: {
    cause:
      'The deployment does not have this part: it was switched off, or the local service has not got it.',
    remedy: 'Ask the operator, or see [configuration](../configuration.md).',
    detail: 'This deployment does not support keys.',
  },
  engine_missing: {
    cause: 'A program that the request needs is not installed, such as LibreOffice or WebKit.',
    remedy:
      '`npm start` names the missing engines and how to install them. The [container](../container.md) `full` has all of them.',
    detail: 'LibreOffice is not installed where this service runs.',
  },
  bad_gateway: {
    cause: 'The function behind the gateway ended without an answer.',
    remedy: 'Send the request again. If it happens again, the operator finds the reason in the logs.',
    detail: 'The function did not answer.',
  },
  service_busy: {
    cause: 'The service has no capacity for the request right now.',
    remedy: 'Send it again after `Retry-After` seconds. The clients do so by themselves.',
    detail: 'The service has no capacity for the request right now.',
  },
  engine_unavailable: {
    cause: 'The engine does not start, or has ended.',
    remedy: 'Send the request again.',
    detail: 'The engine does not start or has ended. Try again.',
  },
  storage_unavailable: {
    cause: 'The storage cannot be reached, or its disk is full.',
    remedy: 'Send the request again. On your own machine, free some space on the disk.',
    detail: 'The storage is not available right now.',
  },
  deadline_exceeded: {
    cause: 'The work takes longer than a request may take.',
    remedy: 'Send it as a job (`Prefer: respond-async`), or make the document smaller.',
    detail: 'The work took too long.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorPage>>;
