import type { X509Certificate } from 'node:crypto';
import { BasicConstraints, Certificate, CertificateChainValidationEngine, type Extension } from 'pkijs';
import { isValidAt, pathFrom } from './certificate.ts';
import type { TrustFault } from './levels.ts';

/** Determines whether the path of a certificate leads to a trust anchor (RFC 5280, 6). */

export interface Trust {
  /** null if the certificate is trusted. */
  fault: TrustFault | null;
  /** The certificate and the known certificates of its issuers, from the direct issuer upwards. */
  chain: X509Certificate[];
}

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const CERTIFICATE_SIGN = 0x04;

/**
 * Returns the path of a certificate, and whether it is valid.
 *
 * @param others certificates that came with it
 * @param anchors trusted certificates
 * @param time at which all certificates must be valid
 */
export async function trustOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  time: Date,
): Promise<Trust> {
  const isAnchor = ({ raw }: X509Certificate): boolean => anchors.some((anchor) => anchor.raw.equals(raw));
  // The anchors come first, because a path may end at the first of them.
  const path = pathFrom(leaf, [...anchors, ...others]);
  const top = path.findIndex(isAnchor);
  if (top === -1) return { fault: 'untrusted', chain: path };
  const chain = path.slice(0, top + 1);
  if (chain.some(({ validToDate }) => validToDate < time)) return { fault: 'expired', chain };
  if (!chain.every((one) => isValidAt(one, time))) return { fault: 'not_yet_valid', chain };
  // If the signer's own certificate is an anchor, no issuer has to be checked.
  if (chain.length === 1) return { fault: null, chain };
  const issuersMayIssue = chain.slice(1).every((issuer, below) => mayIssue(issuer, below));
  const isGood = issuersMayIssue && (await isWithinConstraints(chain, time));
  return { fault: isGood ? null : 'untrusted', chain };
}

/**
 * Returns whether a certificate may issue certificates.
 *
 * @param below number of authorities between it and the leaf
 */
function mayIssue({ raw }: X509Certificate, below: number): boolean {
  const { extensions = [] } = Certificate.fromBER(raw);
  const found = (id: string): unknown =>
    extensions.find(({ extnID }: Extension) => extnID === id)?.parsedValue;
  const constraints = found(BASIC_CONSTRAINTS);
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return false;
  const { pathLenConstraint } = constraints;
  if (typeof pathLenConstraint === 'number' && pathLenConstraint < below) return false;
  const usage = found(KEY_USAGE) as { valueBlock?: { valueHexView?: Uint8Array } } | undefined;
  return usage === undefined || ((usage.valueBlock?.valueHexView?.[0] ?? 0) & CERTIFICATE_SIGN) !== 0;
}

/**
 * Checks critical extensions, policies and name constraints. The library receives exactly the path, so that
 * it does not search for another.
 */
async function isWithinConstraints(chain: readonly X509Certificate[], time: Date): Promise<boolean> {
  const read = chain.map(({ raw }) => Certificate.fromBER(raw));
  const anchor = read.at(-1);
  if (anchor === undefined) return false;
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [anchor],
    // The library requires the leaf as the last certificate.
    certs: read.slice(0, -1).toReversed(),
    checkDate: time,
  });
  const { result } = await engine.verify();
  return result;
}
