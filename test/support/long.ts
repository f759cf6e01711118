/** `npm run test:long`: sweeps are whole, of which `npm test` has a part that shows the same. */
export const IS_LONG = process.env['PLATEN_TEST_LONG'] !== undefined;
