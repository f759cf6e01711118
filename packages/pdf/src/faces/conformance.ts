/** What a document must have to conform, and what is against it. */

export { type Violation, notConformant } from '../conformance/index.ts';
