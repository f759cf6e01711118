import { expect, it } from 'vitest';
import { nameOf } from '../../packages/client/src/document.ts';

it.each([
  [`attachment; filename="x.pdf"; filename*=UTF-8''B%C3%BCro.pdf`, 'Büro.pdf'],
  [`attachment; filename="x.pdf"; filename*=UTF-8''B%FCro.pdf`, 'x.pdf'],
  [`attachment; filename*=UTF-8''..%2F%FC.pdf`, 'document'],
])('a document of %s is called %s: invalid UTF-8 falls back to the plain name', (header, name) => {
  expect(nameOf(new Headers({ 'content-disposition': header }))).toBe(name);
});
