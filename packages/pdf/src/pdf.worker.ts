import { compress } from './compress/index.ts';
import { encrypt } from './encrypt.ts';
import { inspect } from './inspect.ts';
import { select } from './select.ts';
import { stamp } from './stamp.ts';
import { serveTask } from './worker-side.ts';

await serveTask({ inspect, select, compress, encrypt, stamp });
