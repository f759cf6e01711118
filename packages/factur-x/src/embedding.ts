import { type Profile, PROFILE_FACTS } from './profiles.ts';

/** How the XML of an invoice is put into a PDF: what `embedInvoice` of @platen/pdf takes. */
export interface Embedding {
  xml: Uint8Array;
  fileName: string;
  level: string;
  version: string;
  isWhole: boolean;
  now: string;
}

/** @param now when the file is made */
export function embeddingOf(xml: Uint8Array, profile: Profile, now: Date): Embedding {
  const { fileName, level, version } = PROFILE_FACTS[profile];
  const isWhole = profile !== 'minimum' && profile !== 'basicwl';
  return { xml, fileName, level, version, isWhole, now: `${now.toISOString().slice(0, 19)}Z` };
}
