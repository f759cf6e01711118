/** What an address leads to, told without going there. */

/** A place within the document, or within its package. */
export function isInside(address: string): boolean {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return true;
  if (/^[/\\]/.test(trimmed) || /[\\]|%(?:2e|2f|5c)/i.test(trimmed)) return false;
  const [place = ''] = trimmed.split('#');
  return !place.includes(':') && !place.split('/').includes('..');
}

/** What a reader may follow, and no program loads. */
export function isWebLink(address: string): boolean {
  return /^\s*(?:https?|mailto|tel|ftps?):/i.test(address) || address.trim().startsWith('#');
}

/** An address of the disk, or of LibreOffice's own. */
export function isOfMachine(address: string): boolean {
  return /^\s*(?:file|private|smb|vnd\.[\w.-]+|macro|slot|\.uno):/i.test(address);
}
