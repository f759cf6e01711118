/** The first block of TypeScript in a README, and the block of text after it, which is what it prints. */
export function exampleOf(readme: string): { code: string; output: string } {
  const [, code, output] = /```ts\n([^]*?)```\n\n```text\n([^]*?)\n```/.exec(readme) ?? [];
  if (code === undefined || output === undefined)
    throw new Error('The README has no example with its output.');
  return { code, output };
}
