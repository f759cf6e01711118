/** Reads the subset of Gherkin that Gotenberg's features use: scenarios of steps with tables and texts. */

export interface Step {
  text: string;
  table: string[][];
  /** The text between the triple quotes below the step; undefined if it has none. */
  document: string | undefined;
}

export interface Scenario {
  feature: string;
  line: number;
  name: string;
  steps: Step[];
}

const STEP = /^(?:Given|When|Then|And|But) (.*)$/;
const QUOTES = '"""';

/** Returns the scenarios of a feature. @throws Error for a line that is none of the subset */
export function scenariosOf(feature: string, source: string): Scenario[] {
  const scenarios: Scenario[] = [];
  let quoted: { indent: number; lines: string[] } | undefined;
  for (const [index, whole] of source.split(/\r?\n/).entries()) {
    const line = whole.trim();
    const steps = scenarios.at(-1)?.steps;
    const step = steps?.at(-1);
    if (quoted !== undefined) {
      if (line !== QUOTES) quoted.lines.push(whole.slice(quoted.indent));
      else {
        if (step !== undefined) step.document = quoted.lines.join('\n');
        quoted = undefined;
      }
    } else if (line === QUOTES) quoted = { indent: whole.indexOf(QUOTES), lines: [] };
    else if (/^(#|@|Feature:|$)/.test(line)) continue;
    else if (line.startsWith('Scenario:'))
      scenarios.push({ feature, line: index + 1, name: line.slice('Scenario:'.length).trim(), steps: [] });
    else if (line.startsWith('|') && step !== undefined) step.table.push(cellsOf(line));
    else {
      const [, text] = STEP.exec(line) ?? [];
      if (text === undefined || steps === undefined)
        throw new Error(`${feature}:${index + 1} is not understood: ${line}`);
      steps.push({ text, table: [], document: undefined });
    }
  }
  return scenarios;
}

/** Returns the cells of a row, in which `\|`, `\n` and `\\` are escapes. */
function cellsOf(line: string): string[] {
  const cells = [''];
  for (const [token] of line.slice(1).matchAll(/\\[|n\\]|[^]/g)) {
    if (token === '|') cells.push('');
    else cells.push((cells.pop() ?? '') + (token === '\\n' ? '\n' : token.replace(/^\\(?=[|\\])/, '')));
  }
  return cells.slice(0, -1).map((cell) => cell.trim());
}
