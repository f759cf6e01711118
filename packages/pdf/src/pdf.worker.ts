import { compress } from './compress/index.ts';
import { conformTask } from './conformance/task.ts';
import { encrypt } from './encrypt.ts';
import { inspect } from './inspect.ts';
import { select } from './select.ts';
import { stamp } from './stamp.ts';
import { serveTask } from './worker-side.ts';

await serveTask({ inspect, select, compress, conform: conformTask, encrypt, stamp });
