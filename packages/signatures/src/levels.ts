/** Values that the contract uses; it depends on nothing else in this package. */

/** Levels of PAdES: without a timestamp, with a timestamp, and with all data for later verification. */
export const LEVELS = ['b-b', 'b-t', 'b-lt'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * The changes that a certification permits after the signature; `none` means that the signature does not
 * certify.
 */
export const CERTIFICATIONS = ['none', 'no_changes', 'forms', 'annotations'] as const;
export type Certification = (typeof CERTIFICATIONS)[number];

/** Kinds of changes after a signature. */
export const CHANGES = ['validation_data', 'signatures', 'form_fields', 'annotations', 'content'] as const;
export type Change = (typeof CHANGES)[number];

/** Reasons why a certificate is not trusted. */
export const TRUST_FAULTS = ['untrusted', 'expired', 'not_yet_valid', 'revoked'] as const;
export type TrustFault = (typeof TRUST_FAULTS)[number];
