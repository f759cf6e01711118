import { type Profile, PROFILE_FACTS } from './profiles.ts';

/** The input of `embedInvoice` of @platen/pdf: the XML of an invoice, and how it is embedded in a PDF. */
export interface Embedding {
  xml: Uint8Array;
  fileName: string;
  level: string;
  version: string;
  isWhole: boolean;
  now: string;
}

/** Returns the input for embedding an invoice. @param now creation time of the file */
export function embeddingOf(xml: Uint8Array, profile: Profile, now: Date): Embedding {
  const { fileName, level, version } = PROFILE_FACTS[profile];
  const isWhole = profile !== 'minimum' && profile !== 'basicwl';
  return { xml, fileName, level, version, isWhole, now: `${now.toISOString().slice(0, 19)}Z` };
}
