import { serveTask } from '../worker-side.ts';
import { runSteps } from './run.ts';

await serveTask({ runSteps });
