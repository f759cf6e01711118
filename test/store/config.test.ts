import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  flag,
  integer,
  list,
  oneOf,
  optionalString,
  requiredString,
} from '../../functions/shared/config.ts';

describe('configuration variables', () => {
  it('an unset or blank required variable stops the start with its name', () => {
    expect(() => requiredString({}, 'PLATEN_X')).toThrow(new ConfigError('PLATEN_X', 'is not set.'));
    expect(() => requiredString({ PLATEN_X: '  ' }, 'PLATEN_X')).toThrow('PLATEN_X is not set.');
    expect(requiredString({ PLATEN_X: ' a b ' }, 'PLATEN_X')).toBe('a b');
    expect(optionalString({}, 'PLATEN_X')).toBeNull();
  });

  it('an integer is whole and within its range, both ends included', () => {
    const range = { min: 1, max: 10, fallback: 5 };
    expect(integer({}, 'N', range)).toBe(5);
    expect(integer({ N: '1' }, 'N', range)).toBe(1);
    expect(integer({ N: '10' }, 'N', range)).toBe(10);
    for (const wrong of ['0', '11', '1.5', '1e1', 'ten', '0x5', '-1']) {
      expect(() => integer({ N: wrong }, 'N', range)).toThrow(
        `N is "${wrong}" but must be a whole number from 1 to 10.`,
      );
    }
  });

  it('a word outside its set is refused with the words that are allowed', () => {
    expect(oneOf({ L: 'WARN' }, 'L', ['info', 'warn'], 'info')).toBe('warn');
    expect(oneOf({}, 'L', ['info', 'warn'], 'info')).toBe('info');
    expect(() => oneOf({ L: 'loud' }, 'L', ['info', 'warn'], 'info')).toThrow(
      'L is "loud" but must be one of: info, warn.',
    );
  });

  it('flags are true, false, 1 or 0, and lists are split at commas and spaces', () => {
    expect([flag({ F: '1' }, 'F', false), flag({ F: 'False' }, 'F', true), flag({}, 'F', true)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(() => flag({ F: 'yes' }, 'F', false)).toThrow('F is "yes"');
    expect(list({ H: 'a.example, b.example  c.example,' }, 'H')).toEqual([
      'a.example',
      'b.example',
      'c.example',
    ]);
    expect(list({}, 'H')).toEqual([]);
  });
});
