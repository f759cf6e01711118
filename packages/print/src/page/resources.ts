/** What a page loads from outside. */

export { FurnitureFiles, type FurnitureSources } from './furniture-files.ts';
export { OutsideResources } from './outside-resources.ts';
export { loadWebPage } from './web-page.ts';
