import { expect, it } from 'vitest';
import { replacedFamilies } from '../../packages/print/src/page/replaced-families.ts';

it.each([
  ['<p style="font-family: Verdana">x', 'Verdana (Noto Sans instead)'],
  [`<p style='font-family: "Open Sans"'>x`, 'Open Sans (Noto Sans instead)'],
  [
    '<style>p { font-family: Georgia, Garamond } b { font-family:georgia }</style>',
    'georgia (Tinos instead)',
  ],
  ['<style>pre { font-family: Consolas !important }</style>', 'Consolas (Cousine instead)'],
])('families without a generic one are named: %s', (html, named) => {
  expect(replacedFamilies(html)).toBe(
    `Fonts that are not there: ${named}. A generic family after the name permits that.`,
  );
});

it.each([
  '<p style="font-family: Verdana, sans-serif">x',
  '<p style="font-family: Arial">x',
  '<p style="font-family: inherit">x',
  '<p style="font-family: var(--font)">x',
  '<style>@font-face { font-family: Roboto; src: url(a.woff2) } p { font-family: Roboto }</style>',
  '<link rel="stylesheet" href="a.css"><p style="font-family: Verdana">x',
])('no family is named: %s', (html) => {
  expect(replacedFamilies(html)).toBeNull();
});
