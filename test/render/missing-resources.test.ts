import { expect, it } from 'vitest';
import { warnOfMissing } from '../../functions/render/missing-resources.ts';

it('names missing styles, pictures and fonts before others, once, and counters of visitors in one line', () => {
  const warnings = ['Another warning.'];
  const missing = warnOfMissing(warnings);
  for (let number = 0; number < 12; number += 1) missing(`https://e.example/${number}.js`, 'missing');
  for (const address of [
    'https://www.google-analytics.com/ga.js',
    'https://fonts.example/a.woff2',
    'logo.png?v=2',
    'https://cdn.segment.com/s.js',
    'https://e.example/style.css',
    'https://e.example/style.css',
  ])
    missing(address, 'missing');
  missing('broken.jpg', 'unreadable');
  expect(warnings).toEqual([
    'Another warning.',
    'Not loaded: https://e.example/style.css',
    'Not loaded: logo.png?v=2',
    'No image that can be shown: broken.jpg',
    'Not loaded: https://fonts.example/a.woff2',
    ...Array.from({ length: 6 }, (_, number) => `Not loaded: https://e.example/${number}.js`),
    'Not loaded, of hosts that count visitors: www.google-analytics.com, cdn.segment.com',
  ]);
});
