/** Factur-X (ZUGFeRD) invoices: writing, validating and detecting them. */
export { type Embedding, embeddingOf } from './embedding.ts';
export type { InvoiceFault } from './fault.ts';
export { invalidInvoice, unreadableInvoice } from './invalid.ts';
export { type Invoice, invoiceSchema, type ModelFault, readInvoice } from './model.ts';
export { type Profile, PROFILE_FACTS, profileOf, PROFILES } from './profiles.ts';
export { ruleSetOf, RULES } from './rules/index.ts';
export { SCHEMA_FILES } from './schema-files.ts';
export { type InvoiceReport, MAX_FAULTS, validateInvoice } from './validate.ts';
export { writeInvoice } from './write.ts';
export { MAX_XML_BYTES } from './xml.ts';
