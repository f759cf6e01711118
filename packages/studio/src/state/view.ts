import { remembered } from './remembered.ts';

/** How html is edited: as code or in blocks. */
export const view = remembered<'code' | 'blocks'>('platen.view', 'code', ['blocks']);
