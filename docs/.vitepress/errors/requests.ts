import type { ErrorCode } from '@platen/core/errors';
import { call, type ErrorPage, render } from './page.ts';

/** Errors of the request: how it is sent, who sends it, what it is about. */

export const REQUEST_ERRORS = {
  malformed_request: {
    cause:
      'The address, the query or the body cannot be read: a broken escape in the address, or a field that is there twice.',
    remedy: 'Encode values in the address (`encodeURIComponent`), and send each field once.',
    request: call('template/%E0%A4%A'),
    detail: 'The address has a malformed escape in id.',
  },
  malformed_json: {
    cause: 'A field or a body that has to be JSON is not. The detail gives the line and the column.',
    remedy: 'Let a program write the JSON (`jq`, `JSON.stringify`). In a shell, put it in single quotes.',
    request: render('<p>Hello', `-F render_data='{"name": }'`),
    detail: 'render_data is not valid JSON: Unexpected token \'}\', "{"name": }" is not valid JSON.',
  },
  malformed_multipart: {
    cause:
      'The body does not have the form that `Content-Type` announces: the boundary is missing or another one, or the body ends early.',
    remedy: 'Let your HTTP library set `Content-Type`. A header of your own has no boundary.',
    request: call('render/pdf', "-H 'Content-Type: multipart/form-data'", '-d hello'),
    detail: 'The multipart body cannot be read: Multipart: Boundary not found.',
  },
  unauthorized: {
    cause: 'There is no token in the `Authorization` header, or the service does not know it.',
    remedy:
      'Send the token that `npm start` prints, or make one: `npm run token -- create --tenant NAME`. A token that was revoked stays unknown.',
    request: "curl -sS $PLATEN/template -H 'Authorization: plt_unknown'",
    detail:
      'The Authorization header must carry a valid token. This one is missing, unknown, expired or revoked.',
  },
  token_expired: {
    cause: 'The token had a date of expiry, which has passed.',
    remedy: 'Ask whoever made the token for a new one, or make one with `--expires`.',
    detail: 'The token has expired. Request a new one.',
  },
  forbidden: {
    cause: 'A rule of the deployment, such as a web application firewall, refuses the request.',
    remedy: 'Ask the operator of the deployment.',
    detail: 'The request is not allowed.',
  },
  insufficient_scope: {
    cause: 'The token is valid, but has not the scope that the route requires.',
    remedy: 'Use a token with the scope that the detail names. `GET /v1/token` shows the scopes of a token.',
    request: call('tokens', '-F name=shop'),
    detail: 'This route requires a token with the scope admin.',
  },
  not_found: {
    cause:
      'The tenant of the token has no such template, version, job, key or partial. What belongs to other tenants is not found either.',
    remedy: 'Check the id and the token: both have to belong to the same tenant.',
    request: call('template/nothing'),
    detail: 'There is no template with the id "nothing".',
  },
  upload_not_found: {
    cause:
      'A field refers to an upload (`upload:ID`) that does not exist, has expired, or has not been sent completely.',
    remedy:
      'Send the file to the address that `POST /v1/uploads` returned, then use its `reference`. Uploads expire.',
    request: call('pdf/info', '-F file=upload:nothing'),
    detail:
      'file: There is no upload nothing, or its file has not arrived. Create an upload with POST /v1/uploads, send the file to the address in the response, and refer to it after that.',
  },
  route_not_found: {
    cause: 'The service has no such address.',
    remedy: 'Compare the address with the [routes](../routes/README.md). All of them begin with `/v1`.',
    request: call('pdf/shrink'),
    detail: 'There is no such route. GET /v1/openapi.json describes all routes.',
  },
  method_not_allowed: {
    cause: 'The address exists, but not with this method.',
    remedy: 'Use a method of the `Allow` header of the response.',
    request: call('render/pdf'),
    detail: 'GET is not allowed for /v1/render/{format}: use POST.',
  },
  conflict: {
    cause:
      'Several requests change the same template at the same time, more often than the service can put one after the other.',
    remedy: 'Send the request again.',
    detail: 'Too many requests are changing the template at once. Try again.',
  },
  job_not_finished: {
    cause: 'The result of a job is asked for, or the job is deleted, before it has finished.',
    remedy: 'Poll `GET /v1/jobs/ID` until `finished` is set, or use a webhook (`callback_url`).',
    detail: 'The job 01HZX3 is running. Poll it until it has finished.',
  },
  job_without_result: {
    cause: 'The job failed, was cancelled, or its result has expired.',
    remedy: 'Read `problem` of `GET /v1/jobs/ID`, and send the request again.',
    detail: 'The job 01HZX3 failed.',
  },
  request_in_progress: {
    cause: 'A request with the same `Idempotency-Key` is being processed.',
    remedy: 'Wait for its answer, or send the request again after some seconds.',
    detail:
      'A request with this Idempotency-Key is in progress. Wait, then send it again to get its response.',
  },
  version_conflict: {
    cause: 'The template was changed since you read it: `If-Match` names another version.',
    remedy: 'Read the template again, apply your change to the new version, and send its `ETag`.',
    detail: 'If-Match does not match: there is no such template.',
  },
  request_too_large: {
    cause: 'The body is larger than the gateway accepts.',
    remedy:
      'Send large files as [uploads](../uploads.md). The clients and the command line do so by themselves.',
    detail: 'The request has more than 10 MB.',
  },
  file_too_large: {
    cause: 'A file is larger than the [limit](../limits.md) of its kind.',
    remedy: 'Make it smaller, or split it.',
    detail: 'The file has more bytes than a template may have.',
  },
  unsupported_media_type: {
    cause: 'The body is neither `multipart/form-data`, urlencoded nor JSON.',
    remedy: 'Send fields with `-F` (curl) or `FormData`, or a JSON object if there is no file.',
    request: call('render/pdf', "-H 'Content-Type: text/xml'", "-d '<a/>'"),
    detail:
      'The content type "text/xml" is not supported: send multipart/form-data, application/x-www-form-urlencoded or application/json.',
  },
  invalid_field: {
    cause: 'A field has a value that it cannot have. `errors` names each field.',
    remedy: 'Correct the value. The page of the [route](../routes/README.md) lists what each field accepts.',
    request: call('pdf/rotate', '-F file=@report.pdf', '-F angle=45'),
    detail: 'angle is 45, but must be one of 90, 180, 270.',
  },
  missing_field: {
    cause: 'A required field or file is missing, or its name is misspelt.',
    remedy: 'Send the field that the detail names. With curl, files need `@`: `-F file=@report.pdf`.',
    request: call('pdf/compress', '-F quality=low'),
    detail: 'file is missing or empty: send it as a file part of a multipart/form-data body.',
  },
  idempotency_key_reused: {
    cause: 'The `Idempotency-Key` was used for another request before.',
    remedy: 'Use a new key for each request, and the same key only to repeat the same request.',
    detail:
      'Another request was sent with this Idempotency-Key. Use a new key for each request, and the same one only to repeat it.',
  },
  url_not_allowed: {
    cause:
      'The address leads into a private network or to the machine itself, or the deployment does not load outside resources.',
    remedy:
      'Send files with the request, or have the operator allow the address ([configuration](../configuration.md)).',
    request: call('pdf/url', '-F url=http://169.254.169.254/'),
    detail: 'http://169.254.169.254/ must not be loaded: it is not a public address.',
  },
  url_unreachable: {
    cause: 'The server does not answer, answers with an error, or its certificate is not valid.',
    remedy: 'Open the address from the network of the service. Pages behind a sign-in cannot be loaded.',
    request: call('pdf/url', '-F url=https://nothing.invalid/'),
    detail: 'https://nothing.invalid/ cannot be loaded: the host does not answer.',
  },
  too_many_requests: {
    cause: 'More requests arrive than the deployment or the token allows.',
    remedy:
      'Wait as long as `Retry-After` says. Use [batches](../rendering.md) instead of many single requests.',
    detail: 'This token allows 60 requests per minute. The next minute begins in 21 seconds.',
  },
  quota_exceeded: {
    cause: 'The token has a quota for a month, which is used up.',
    remedy:
      'Wait for the next month, or have the [limits of the token](../security.md#limits-of-a-token) raised.',
    detail:
      'This token allows 1000 requests per month, and the quota is exhausted. The next month begins in 80 hours.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorPage>>;
