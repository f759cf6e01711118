/** The content of a `data:` address. */
export interface AddressedData {
  /** The media type as written, with its parameters; `''` when the address states none. */
  contentType: string;
  bytes: Buffer;
}

/** Returns the file in a `data:` address (RFC 2397); null for any other address. */
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
