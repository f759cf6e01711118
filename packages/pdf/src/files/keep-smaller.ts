import { copyFile, stat } from 'node:fs/promises';

/** Returns the input as the output if compression saves nothing. */
export async function keepSmaller(input: string, output: string): Promise<void> {
  const [before, after] = await Promise.all([stat(input), stat(output)]);
  if (after.size >= before.size) await copyFile(input, output);
}
