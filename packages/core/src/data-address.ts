/** What stands in a `data:` address. */
export interface AddressedData {
  /** As it is written, with its parameters; `''` where nothing is said. */
  contentType: string;
  bytes: Buffer;
}

/** The file in a `data:` address; null where it is none (RFC 2397). */
export function readDataAddress(address: string): AddressedData | null {
  const match = /^\s*data:([^,]{0,500}),/i.exec(address);
  if (match === null) return null;
  const [whole, said = ''] = match;
  const data = unescaped(address.slice(whole.length));
  const contentType = said.replace(/;\s*base64\s*$/i, '');
  return { contentType, bytes: Buffer.from(data, contentType === said ? 'latin1' : 'base64') };
}

function unescaped(data: string): string {
  return data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
