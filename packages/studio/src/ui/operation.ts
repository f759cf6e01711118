/**
 * Returns a readable name of an operation: “Render template batch” for `renderTemplateBatch`, “Merge PDFs” for
 * `mergePdfs`.
 */
export function operationOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const readable = words.replaceAll(/\bpdf(s?)\b/g, 'PDF$1').replaceAll(/\bzip\b/g, 'ZIP');
  return readable.charAt(0).toUpperCase() + readable.slice(1);
}
