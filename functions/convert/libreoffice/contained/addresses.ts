/** Classifies addresses without opening them. */

/** Returns whether an address is a place within the document or its package. */
export function isInside(address: string): boolean {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return true;
  if (/^[/\\]/.test(trimmed) || /[\\]|%(?:2e|2f|5c)/i.test(trimmed)) return false;
  const [place = ''] = trimmed.split('#');
  return !place.includes(':') && !place.split('/').includes('..');
}

/** Returns whether an address is a link that a reader may follow and no program loads. */
export function isWebLink(address: string): boolean {
  return /^\s*(?:https?|mailto|tel|ftps?):/i.test(address) || address.trim().startsWith('#');
}

/** Returns whether an address is on the disk, or one of LibreOffice's own schemes. */
export function isOfMachine(address: string): boolean {
  return /^\s*(?:file|private|smb|vnd\.[\w.-]+|macro|slot|\.uno):/i.test(address);
}
