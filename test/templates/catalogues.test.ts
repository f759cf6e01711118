import { expect, it } from 'vitest';
import { readCatalogue } from '../../functions/templates/catalogues.ts';

/** Reading catalogues of translations. */

function catalogue(messages: number): Buffer {
  const entries = Array.from({ length: messages }, (_, n) => `msgid "m${n}"\nmsgstr "t${n}"\n`);
  return Buffer.from(`msgid ""\nmsgstr ""\n\n${entries.join('')}`);
}

it('the function continues with other work while a large catalogue is read', async () => {
  // What is loaded with the first one gives turns, too.
  expect(await readCatalogue(catalogue(1))).toMatchObject({ messages: 1 });
  let turns = 0;
  const reading = readCatalogue(catalogue(50_000));
  const isRead = reading.then(
    () => true,
    () => true,
  );
  const notYet = (): Promise<boolean> => new Promise((resolve) => void setImmediate(resolve, false));
  while (!(await Promise.race([isRead, notYet()]))) turns += 1;
  const { messages, json } = await reading;
  expect(messages).toBe(50_000);
  expect(JSON.parse(json)).toMatchObject({ plural: 'n != 1', messages: { m49999: ['t49999'] } });
  expect(turns).toBeGreaterThan(100);
});

it('messages are counted before they are read', async () => {
  // With the header there is one too many; what is wrong at the end is not come to.
  const broken = Buffer.concat([catalogue(60_000), Buffer.from('nonsense "')]);
  await expect(readCatalogue(broken)).rejects.toMatchObject({
    code: 'invalid_field',
    faults: [{ field: 'file_data', message: 'the file has more than 60000 messages' }],
  });
  await expect(readCatalogue(Buffer.from('hello'))).rejects.toMatchObject({ code: 'invalid_field' });
});
