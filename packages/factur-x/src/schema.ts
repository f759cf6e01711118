import { readFile } from 'node:fs/promises';
import { assetPath } from '@platen/core/worker';
import type * as LibXml from 'libxml2-wasm';
import type { InvoiceFault } from './fault.ts';
import { type Profile, PROFILE_FACTS } from './profiles.ts';
import { SCHEMA_FILES } from './schema-files.ts';

/** Validates invoices against the schema of a profile with libxml2. */

type Validator = InstanceType<typeof LibXml.XsdValidator>;

/** Base URL under which libxml2 finds imported schemas. It cannot open any other file. */
const SCHEMA_BASE = 'schema:/';

let library: Promise<typeof LibXml> | undefined;
const validators = new Map<string, Promise<Validator>>();

async function loadLibrary(): Promise<typeof LibXml> {
  const libxml = await import('libxml2-wasm');
  const files: Record<string, Uint8Array> = {};
  for (const path of SCHEMA_FILES) {
    const content = await readFile(assetPath(import.meta.url, `../schemas/${path}`));
    files[`${SCHEMA_BASE}${path}`] = content;
  }
  libxml.xmlRegisterInputProvider(new libxml.XmlBufferInputProvider(files));
  return libxml;
}

async function validatorOf(libxml: typeof LibXml, profile: Profile): Promise<Validator> {
  const { folder, root } = PROFILE_FACTS[profile].schema;
  const path = `${folder}/${root}`;
  const made = validators.get(path);
  if (made !== undefined) return await made;
  const making = makeValidator(libxml, path);
  validators.set(path, making);
  return await making;
}

async function makeValidator({ XmlDocument, XsdValidator }: typeof LibXml, path: string): Promise<Validator> {
  const bytes = await readFile(assetPath(import.meta.url, `../schemas/${path}`));
  const document = XmlDocument.fromBuffer(bytes, { url: `${SCHEMA_BASE}${path}` });
  try {
    return XsdValidator.fromDoc(document);
  } finally {
    document.dispose();
  }
}

/**
 * Returns the faults that the schema of a profile finds in an invoice.
 *
 * @param text well-formed XML without a document type
 */
export async function schemaFaults(text: string, profile: Profile): Promise<InvoiceFault[]> {
  const libxml = await (library ??= loadLibrary());
  const validator = await validatorOf(libxml, profile);
  const { XML_PARSE_NONET, XML_PARSE_NO_XXE, XML_PARSE_BIG_LINES } = libxml.ParseOption;
  const document = libxml.XmlDocument.fromString(text, {
    option: XML_PARSE_NONET | XML_PARSE_NO_XXE | XML_PARSE_BIG_LINES,
  });
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof libxml.XmlValidateError)) throw error;
    return error.details.map(({ message, line }) => ({
      rule: 'xsd',
      detail: readable(message),
      ...(line > 0 ? { line } : {}),
    }));
  } finally {
    document.dispose();
  }
}

/** Returns libxml2's message without the namespaces, which do not help readers of CII. */
function readable(message: string): string {
  return message
    .trim()
    .replace(/\{urn:un:unece:uncefact:[^}]{1,100}\}/g, '')
    .slice(0, 500);
}
