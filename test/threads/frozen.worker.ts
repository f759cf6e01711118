import { parentPort } from 'node:worker_threads';
import { freezeIntrinsics } from '@platen/core/hardened';

/** Freezes the intrinsics of its thread and reports how code behaves afterwards. */

freezeIntrinsics();

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof TypeError ? 'TypeError' : String(error);
  }
}

class Shape {
  declare toString: () => string;
  constructor() {
    this.toString = () => 'a shape';
  }
}

const parsed = JSON.parse('{"__proto__":{"polluted":1}}') as Record<string, unknown>;
const map: Record<string, Record<string, unknown>> = {};
parentPort?.postMessage(
  {
    'a name of the data as a key of an object': outcome(() => {
      (map['__proto__'] ??= {})['polluted'] = 1;
      return [Object.keys(map), Reflect.get({}, 'polluted')];
    }),
    'a copy of the data': outcome(() => Reflect.get(Object.assign({}, parsed), 'polluted')),
    'a property of a constructor': outcome(() => {
      (map['constructor'] ??= {})['polluted'] = 1;
    }),
    'a new property of Object.prototype': outcome(() => Object.assign(Object.prototype, { polluted: 1 })),
    'a method of Array.prototype': outcome(() => Object.assign(Array.prototype, { map: null })),
    'a method of Object.prototype': outcome(() => Object.assign(Object.prototype, { toString: null })),
    'a property of a method': outcome(() => Object.assign(String.prototype.trim, { polluted: 1 })),
    'an inherited method on an object': outcome(() => String(new Shape())),
    'the length of an object that inherits from arrays': outcome(() =>
      Array.prototype.push.call(Object.create(Array.prototype), 1, 2),
    ),
    'the name of an error': outcome(() => String(Object.assign(new Error('x'), { name: 'Mine' }))),
    'the message of an error': outcome(() => Object.assign(new RangeError('x'), { message: 'y' }).message),
    'stack traces': outcome(() => {
      const before = Error.prepareStackTrace;
      Error.prepareStackTrace = () => 'prepared';
      const { stack } = new Error('x');
      Error.prepareStackTrace = before;
      return stack;
    }),
  },
  [],
);
