import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';

/** The fields `failOn…`: what makes a page fail, and with which statuses. */

/** Gotenberg's default: a page that is answered with an error is none. */
const ERRORS = [499, 599];

/**
 * Returns the entries of `fail_on` for a form.
 *
 * @throws RequestError
 */
export function failures(form: Form): unknown[] {
  const http = statusesOf(form, 'failOnResourceHttpStatusCodes');
  const except = domainsOf(form);
  const responses = {
    ...(http === undefined ? {} : { http, except }),
    ...(form.text('url') === undefined ? {} : { page: pageStatuses(form) }),
  };
  return [
    ...(form.flag('failOnConsoleExceptions') === true ? ['console'] : []),
    ...(form.flag('failOnResourceLoadingFailed') === true ? ['resources'] : []),
    ...(Object.keys(responses).length === 0 ? [] : [responses]),
  ];
}

/** Returns the statuses of a page with which it fails, such as `404`, `5xx`. @throws RequestError */
export function pageStatuses(form: Form): string[] {
  return statusesOf(form, 'failOnHttpStatusCodes') ?? ERRORS.map(pattern);
}

/** @throws RequestError */
function statusesOf(form: Form, field: string): string[] | undefined {
  const given = form.json(field);
  if (given === undefined) return undefined;
  const isStatus = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600;
  if (!Array.isArray(given) || !given.every(isStatus))
    throw new RequestError(400, `Invalid form data: form field '${field}' must be a list of statuses`);
  return given.map(pattern);
}

/** 499 stands for all statuses from 400 to 499. */
function pattern(status: number): string {
  return status % 100 === 99 ? `${Math.trunc(status / 100)}xx` : String(status);
}

/** @throws RequestError */
function domainsOf(form: Form): string[] {
  const field = 'ignoreResourceHttpStatusDomains';
  const given = form.json(field) ?? [];
  if (!Array.isArray(given) || !given.every((domain) => typeof domain === 'string'))
    throw new RequestError(400, `Invalid form data: form field '${field}' must be a list of domains`);
  return given.map(hostOf);
}

/** Returns the host of an address, of a host with a port, or of a pattern of subdomains. */
function hostOf(domain: string): string {
  const [address = '', host = address] = domain.split('://', 2);
  const [name = ''] = host.split(/[/:]/, 1);
  return name.replace(/^\*?\./, '');
}
