/** Words of the contract, which needs nothing else of this package. */

/** Levels of PAdES: without a timestamp, with one, and with all data for later verification. */
export const LEVELS = ['b-b', 'b-t', 'b-lt'] as const;
export type Level = (typeof LEVELS)[number];

/** The changes that a signature permits afterwards; `none`: it does not certify. */
export const CERTIFICATIONS = ['none', 'no_changes', 'forms', 'annotations'] as const;
export type Certification = (typeof CERTIFICATIONS)[number];

/** Kinds of changes since a signature. */
export const CHANGES = ['validation_data', 'signatures', 'form_fields', 'annotations', 'content'] as const;
export type Change = (typeof CHANGES)[number];

/** Why a certificate is not trusted. */
export const TRUST_FAULTS = ['untrusted', 'expired', 'not_yet_valid', 'revoked'] as const;
export type TrustFault = (typeof TRUST_FAULTS)[number];
