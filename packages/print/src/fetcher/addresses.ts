import ipaddr from 'ipaddr.js';

/**
 * Returns whether an IP address is on the public internet. Every reserved address is refused: private, loopback,
 * link-local (with cloud metadata), carrier-grade NAT, multicast, documentation, and IPv6 addresses that contain
 * an IPv4 address (mapped, NAT64, 6to4, Teredo), including public ones: no public host needs them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || !isEmbedded(parsed as ipaddr.IPv6);
}

/** Returns whether an IP address is one by which a machine reaches itself (127.0.0.0/8, ::1). */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/** Ranges that ipaddr.js treats as ordinary ones. */
const EMBEDDING = [
  // Deprecated IPv4-compatible addresses, RFC 4291 2.5.5.1.
  '::/96',
  // Local-use NAT64, RFC 8215.
  '64:ff9b:1::/48',
  // Deprecated site-local addresses, RFC 3879.
  'fec0::/10',
].map((range) => ipaddr.IPv6.parseCIDR(range));

function isEmbedded(address: ipaddr.IPv6): boolean {
  return EMBEDDING.some((range) => address.match(range));
}
