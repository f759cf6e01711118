import { inputArguments, type Engine, type PdfInput } from '../files/engine.ts';

/** The protection of a document. */
export interface Protection {
  /** Such as `AES-256`. */
  method: string;
  /** The operations that are permitted without the owner's password. */
  permissions: {
    print: boolean;
    copy: boolean;
    modify: boolean;
    annotate: boolean;
    fillForms: boolean;
    assemble: boolean;
  };
}

/** The data that qpdf reports about the encryption of a file. */
interface EncryptionJson {
  encrypt: {
    encrypted: boolean;
    capabilities: Record<string, boolean>;
    parameters: { bits: number; method: string };
  };
}

/** Algorithms by qpdf's name of a method; for other methods, the file contains the key length. */
const METHODS: Readonly<Record<string, string>> = { AESv3: 'AES-256', AESv2: 'AES-128' };

/** @returns null for a document that is not encrypted */
export async function readProtection(engine: Engine, input: PdfInput): Promise<Protection | null> {
  const text = await engine.work(input, ['--json=2', '--json-key=encrypt', ...inputArguments(input)]);
  const { encrypt } = JSON.parse(text) as EncryptionJson;
  if (!encrypt.encrypted) return null;
  const { capabilities: may, parameters } = encrypt;
  return {
    method: METHODS[parameters.method] ?? `RC4-${parameters.bits}`,
    permissions: {
      print: may['printlow'] === true,
      copy: may['extract'] === true,
      modify: may['modifyother'] === true,
      annotate: may['modifyannotations'] === true,
      fillForms: may['modifyforms'] === true,
      assemble: may['modifyassembly'] === true,
    },
  };
}
