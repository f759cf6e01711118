export type { Caller, GatewayEvent, InvocationContext } from './event.ts';
export { demandScope, hasScope } from './access.ts';
export { createGroup, type Serve } from './group.ts';
export type { Operation, Operations, Produce } from './operation.ts';
export { streaming } from './lambda.ts';
export { document, json, noContent, type Reply } from './reply.ts';
export type { UploadedFile, UploadSource, StoredUpload } from './files.ts';
export type { PlatenRequest } from './request.ts';
export { warningHeader } from './warnings.ts';
