import { describe, expect, test } from 'vitest';
import { Environment, JsonError, parseJson, toJs } from '@platen/jinja';
import type { Value } from '@platen/jinja';

/** The value as Python prints it. */
function printed(text: string): string {
  return new Environment()
    .compile('{{ [value] }}')
    .render({ value: parseJson(text) })
    .slice(1, -1);
}

function failure(text: string): string {
  try {
    return printed(text);
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

describe('reading JSON', () => {
  test.for([
    ['{"2":1,"1":2,"b":3,"a":4}', "{'2': 1, '1': 2, 'b': 3, 'a': 4}"],
    ['[1,1.0,1e2,-0,-0.0,0.1,1E-7]', '[1, 1.0, 100.0, 0, -0.0, 0.1, 1e-07]'],
    [
      '[9007199254740993,123456789012345678901234567890]',
      '[9007199254740993, 123456789012345678901234567890]',
    ],
    ['[true,false,null]', '[True, False, None]'],
    ['"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/"', "'é😀\\n\"\\\\/'"],
    [' \n\t{ "a" : [ ] , "b" : { } }\r\n', "{'a': [], 'b': {}}"],
    ['{"a":1,"b":2,"a":3}', "{'a': 3, 'b': 2}"],
    ['{"":1,"\\u0000x":2}', "{'': 1, '\\x00x': 2}"],
    ['{"__proto__":{"x":1},"constructor":2}', "{'__proto__': {'x': 1}, 'constructor': 2}"],
    ['\ufeff{"a":1}', "{'a': 1}"],
    ['"a\\u2028b"', "'a\\u2028b'"],
    ['1e400', 'inf'],
    ['[NaN,Infinity,-Infinity,{"a":NaN}]', "[nan, inf, -inf, {'a': nan}]"],
  ] as const)('%s is read as Python reads it', ([text, expected]) => {
    expect(printed(text)).toBe(expected);
  });

  test.for([
    ['', 'unexpected end of the text (line 1, column 1)'],
    ['{', 'expected a key in double quotes (line 1, column 2)'],
    ['{"a"}', "expected ':' (line 1, column 5)"],
    ['{"a":1,}', 'expected a key in double quotes (line 1, column 8)'],
    ['[1,]', 'unexpected character (line 1, column 4)'],
    ['[1 2]', "expected ',' or ']' (line 1, column 4)"],
    ['{\n "a": 1\n "b": 2}', "expected ',' or '}' (line 3, column 2)"],
    ['01', 'unexpected text after the value (line 1, column 2)'],
    ['+1', 'unexpected character (line 1, column 1)'],
    ['.5', 'unexpected character (line 1, column 1)'],
    ['1.', 'unexpected text after the value (line 1, column 2)'],
    ['nan', 'unexpected character (line 1, column 1)'],
    ['-NaN', 'unexpected character (line 1, column 1)'],
    ['Infinit', 'unexpected character (line 1, column 1)'],
    ['"a', 'a string does not end (line 1, column 3)'],
    ['"a\nb"', 'a control character in a string (line 1, column 3)'],
    ['"\\x"', 'an unknown escape (line 1, column 2)'],
    ['"\\u12"', 'an escape that is not complete (line 1, column 2)'],
    ['trueish', 'unexpected text after the value (line 1, column 5)'],
    ['truth', 'unexpected character (line 1, column 1)'],
    ['{} {}', 'unexpected text after the value (line 1, column 4)'],
    ['['.repeat(501), 'nested more than 500 deep (line 1, column 501)'],
    ['9'.repeat(5000), 'a number has more than 4300 digits (line 1, column 5001)'],
  ] as const)('%s is refused with its place', ([text, message]) => {
    expect(failure(text)).toBe(message);
  });

  test('JSON that other parsers accept has the same value', () => {
    const value: unknown = {
      text: 'a "quoted" \\ text\twith\u0001control and 😀',
      numbers: [0, -1, 1.5, 1e-9, 123456789],
      nested: { list: [[], [{}], [null, true, false]], 'key with "': 'x' },
    };
    expect(toJs(parseJson(JSON.stringify(value)))).toEqual(value);
    expect(toJs(parseJson(JSON.stringify(value, null, 2)))).toEqual(value);
  });

  test('half a megabyte of braces is refused without filling the stack', () => {
    expect(failure('{"a":'.repeat(100_000))).toMatch(/^nested more than/u);
  });

  test('numbers, texts and null become plain values', () => {
    const values: Value[] = [parseJson('1'), parseJson('"x"'), parseJson('null')];
    expect(values).toEqual([1, 'x', null]);
  });
});
