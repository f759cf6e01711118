import { createHash, type X509Certificate } from 'node:crypto';
import type { KMSClient, SigningAlgorithmSpec } from '@aws-sdk/client-kms';
import { PlatenError } from '@platen/core/errors';
import type { Digest } from './algorithms.ts';
import type { Signer } from './signer.ts';

const RSA: Readonly<Record<Digest, SigningAlgorithmSpec>> = {
  sha256: 'RSASSA_PKCS1_V1_5_SHA_256',
  sha384: 'RSASSA_PKCS1_V1_5_SHA_384',
  sha512: 'RSASSA_PKCS1_V1_5_SHA_512',
};
const ECDSA: Readonly<Record<Digest, SigningAlgorithmSpec>> = {
  sha256: 'ECDSA_SHA_256',
  sha384: 'ECDSA_SHA_384',
  sha512: 'ECDSA_SHA_512',
};

/**
 * Returns a signer whose key never leaves AWS KMS. KMS receives only the digest.
 *
 * @param keyId id, ARN or alias of an asymmetric key for SIGN_VERIFY
 */
export function kmsSigner(
  client: KMSClient,
  keyId: string,
  certificate: X509Certificate,
  chain: readonly X509Certificate[],
): Signer {
  const algorithms = certificate.publicKey.asymmetricKeyType === 'ec' ? ECDSA : RSA;
  return {
    certificate,
    chain,
    async sign(data, digest) {
      const { SignCommand } = await import('@aws-sdk/client-kms');
      const command = new SignCommand({
        KeyId: keyId,
        Message: createHash(digest).update(data).digest(),
        MessageType: 'DIGEST',
        SigningAlgorithm: algorithms[digest],
      });
      try {
        const { Signature } = await client.send(command);
        if (Signature === undefined) throw new Error('KMS gave no signature');
        return Signature;
      } catch (cause) {
        throw refused(cause);
      }
    },
  };
}

/** Errors of KMS that mean that the key cannot sign, or that this deployment has no access to it. */
const OF_THE_KEY = new Set([
  'NotFoundException',
  'DisabledException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'AccessDeniedException',
  'InvalidArnException',
  'ValidationException',
]);

function refused(cause: unknown): PlatenError {
  const name = cause instanceof Error ? cause.name : '';
  if (OF_THE_KEY.has(name)) {
    const message = `KMS does not sign with this key (${name})`;
    return new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'key', message }], cause });
  }
  return new PlatenError('storage_unavailable', 'KMS is not available right now. Please try again.', {
    cause,
  });
}
