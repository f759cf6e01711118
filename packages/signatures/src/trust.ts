import type { X509Certificate } from 'node:crypto';
import { BasicConstraints, Certificate, CertificateChainValidationEngine, type Extension } from 'pkijs';
import { isValidAt, pathFrom } from './certificate.ts';
import type { TrustFault } from './levels.ts';

/** Determines whether a certificate leads to a trust anchor (RFC 5280, 6). */

export interface Trust {
  /** null: it is trusted. */
  fault: TrustFault | null;
  /** From the certificate itself upwards, as far as it is known. */
  chain: X509Certificate[];
}

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const CERTIFICATE_SIGN = 0x04;

/**
 * The path of a certificate, and whether it is good.
 *
 * @param others certificates that came with it
 * @param anchors certificates that are trusted
 * @param time at which all certificates must be valid
 */
export async function trustOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  time: Date,
): Promise<Trust> {
  const isAnchor = ({ raw }: X509Certificate): boolean => anchors.some((anchor) => anchor.raw.equals(raw));
  // Anchors first: what one of them issued needs nothing else.
  const path = pathFrom(leaf, [...anchors, ...others]);
  const top = path.findIndex(isAnchor);
  if (top === -1) return { fault: 'untrusted', chain: path };
  const chain = path.slice(0, top + 1);
  if (chain.some(({ validToDate }) => validToDate < time)) return { fault: 'expired', chain };
  if (!chain.every((one) => isValidAt(one, time))) return { fault: 'not_yet_valid', chain };
  // Whoever named the signer's own certificate as trusted asks for no path.
  if (chain.length === 1) return { fault: null, chain };
  const issuersMayIssue = chain.slice(1).every((issuer, below) => mayIssue(issuer, below));
  const isGood = issuersMayIssue && (await isWithinConstraints(chain, time));
  return { fault: isGood ? null : 'untrusted', chain };
}

/** Whether a certificate is one of an authority. @param below authorities between it and the leaf */
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

/** Critical extensions, policies and name constraints. The path is given, so that the library has nothing to look for. */
async function isWithinConstraints(chain: readonly X509Certificate[], time: Date): Promise<boolean> {
  const read = chain.map(({ raw }) => Certificate.fromBER(raw));
  const anchor = read.at(-1);
  if (anchor === undefined) return false;
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [anchor],
    // The library takes the last one for the leaf.
    certs: read.slice(0, -1).toReversed(),
    checkDate: time,
  });
  const { result } = await engine.verify();
  return result;
}
