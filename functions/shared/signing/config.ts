import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, list, oneOf, optionalString } from '../config.ts';
import { imageFonts } from '../image-fonts.ts';
import { isPublicAddress } from '@platen/print/fetcher/addresses';
import { readCertificates } from '@platen/signatures/certificate';

/** The settings of a function that signs or verifies, from the environment. */
export interface SigningSettings {
  /** Name of the DynamoDB table of keys; null: the deployment stores none. */
  table: string | null;
  /** ARN of the secret that encrypts keys; null: the deployment stores none. */
  sealing: string | null;
  /** Timestamp server; null for none. */
  tsaUrl: string | null;
  /** Patterns of the ids of KMS keys that may be used; empty to disable KMS. */
  kmsKeys: readonly string[];
  /** Trusted for all tenants. */
  anchors: readonly X509Certificate[];
  /** Folder of the fonts of visible signatures; null for none. */
  fonts: string | null;
  /** Returns whether an address may be asked about the revocation of a certificate. */
  isRevocationAddress: (address: string) => boolean;
}

/** @throws ConfigError that names the variable at fault */
export function signingSettings(env: Environment): SigningSettings {
  const tsaUrl = optionalString(env, 'PLATEN_TSA_URL');
  if (tsaUrl !== null && !/^https?:$/.test(URL.parse(tsaUrl)?.protocol ?? '')) {
    throw new ConfigError('PLATEN_TSA_URL', 'is not an http or https address.');
  }
  const which = oneOf(env, 'PLATEN_REVOCATION_ADDRESSES', ['public', 'any'] as const, 'public');
  return {
    table: optionalString(env, 'PLATEN_TEMPLATES_TABLE'),
    sealing: optionalString(env, 'PLATEN_SEALING_SECRET'),
    tsaUrl,
    kmsKeys: list(env, 'PLATEN_KMS_KEYS'),
    anchors: anchorsOf(env),
    fonts: imageFonts(env),
    isRevocationAddress: which === 'public' ? isPublicAddress : () => true,
  };
}

/** Returns certificates in PEM, given as text or as the path of a file. */
function anchorsOf(env: Environment): X509Certificate[] {
  const text = optionalString(env, 'PLATEN_TRUST_ANCHORS');
  if (text === null) return [];
  try {
    const pem = text.includes('-----BEGIN') ? Buffer.from(text) : readFileSync(text);
    return readCertificates(pem, 'PLATEN_TRUST_ANCHORS');
  } catch {
    throw new ConfigError('PLATEN_TRUST_ANCHORS', 'is neither certificates in PEM nor a file of them.');
  }
}
