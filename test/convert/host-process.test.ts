import { expect, test } from 'vitest';
import { ProcessEnded } from '../../functions/convert/host-process.ts';
import { Program } from './program.ts';

test('an answer of some megabytes arrives', async () => {
  const program = new Program('print(\'"\' + "x" * 5_000_000 + \'"\')');
  expect(await program.ask()).toHaveLength(5_000_000);
  expect(await program.ask()).toHaveLength(5_000_000);
  await program.kill();
});

test('a program that writes a line without end is killed, before it fills the memory', async () => {
  const program = new Program('while True: sys.stdout.write("x" * 1_000_000)');
  await expect(program.ask()).rejects.toThrow(ProcessEnded);
  expect(program.alive).toBe(false);
});
