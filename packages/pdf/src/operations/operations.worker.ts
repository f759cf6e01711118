import { fill, listFields } from '../forms/form-task.ts';
import { extractAttachments } from '../look/attachments-task.ts';
import { lookInto } from '../look/info-task.ts';
import { readText } from '../look/text-task.ts';
import { serveTask } from '../worker-side.ts';
import { drawPages } from './draw-task.ts';
import { merge } from './merge-task.ts';
import { setMetadata } from './metadata-task.ts';
import { repair } from './repair-task.ts';
import { splitMany } from './split-task.ts';

await serveTask({
  drawPages,
  extractAttachments,
  fillForm: fill,
  listFields,
  lookInto,
  merge,
  readText,
  repair,
  setMetadata,
  splitMany,
});
