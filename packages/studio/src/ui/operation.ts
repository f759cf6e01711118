/** The name of an operation in words: `renderTemplateBatch` is “Render template batch”, `mergePdfs` “Merge PDFs”. */
export function operationOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const readable = words.replaceAll(/\bpdf(s?)\b/g, 'PDF$1').replaceAll(/\bzip\b/g, 'ZIP');
  return readable.charAt(0).toUpperCase() + readable.slice(1);
}
