import { moved, serveThread } from '@platen/core/thread-side';
import { vectorDocument, type VectorTask } from './vector-document.ts';

serveThread({
  write: async (task: VectorTask) => {
    const pdf = await vectorDocument(task);
    return moved(pdf, [pdf.buffer as ArrayBuffer]);
  },
});
