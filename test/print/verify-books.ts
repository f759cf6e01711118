import { startEngine, document, PLAIN } from '../chrome/engine.ts';
import { bookOf, faultsOf } from './books.ts';

/**
 * Prints 50 generated books (or the number given as an argument) and checks every number in contents and references.
 */

const count = Number(process.argv[2] ?? 50);
const { printer, stop } = await startEngine();
const session = printer.session('books');
let numbers = 0;
let wrong = 0;
try {
  for (let seed = 1; seed <= count; seed++) {
    const book = bookOf(seed);
    const warnings: string[] = [];
    const given = { ...document(book.html), warn: (text: string) => void warnings.push(text) };
    const { faults, checked } = faultsOf(book, await session.print(given, PLAIN));
    numbers += checked;
    for (const fault of [...faults, ...warnings]) {
      wrong += 1;
      console.log(`book ${seed}: ${fault}`);
    }
  }
} finally {
  await session.close();
  await stop();
}
console.log(`${count} books, ${numbers} numbers, ${wrong} wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
