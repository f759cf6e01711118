import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError, type Environment, list, oneOf, optionalString } from '../config.ts';
import { imageFonts } from '../image-fonts.ts';
import { isPublicAddress } from '@platen/print/fetcher/addresses';
import { readCertificates } from '@platen/signatures/certificate';

/** What a function that signs or verifies is told by its surroundings. */
export interface SigningSettings {
  /** Name of the DynamoDB table that keys are in; null: the deployment keeps none. */
  table: string | null;
  /** ARN of the secret with which keys are sealed; null: the deployment keeps none. */
  sealing: string | null;
  /** Timestamp server; null: there is none. */
  tsaUrl: string | null;
  /** Patterns of the ids of keys in KMS that may be used; none: KMS is not used. */
  kmsKeys: readonly string[];
  /** Trusted for all tenants. */
  anchors: readonly X509Certificate[];
  /** Folder of the fonts that what is seen of signatures is set in; null where there is none. */
  fonts: string | null;
  /** Addresses that are asked whether a certificate was revoked. */
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

/** Certificates in PEM, or the path of a file with them. */
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
