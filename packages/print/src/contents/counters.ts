/**
 * Counters of a loaded document (CSS Lists 3, 4), whose values no engine tells scripts: texts outside of the text of an
 * element show them, such as titles in the outline, strings in margins, and references to chapters.
 */

/** Defines `shown(number, kind)`: a number in the counter style `kind`; one that is not in `NUMERAL_STYLES` is decimal. */
export const NUMERALS = `
  const roman = (number) => [[1000,'m'],[900,'cm'],[500,'d'],[400,'cd'],[100,'c'],[90,'xc'],[50,'l'],[40,'xl'],[10,'x'],[9,'ix'],[5,'v'],[4,'iv'],[1,'i']]
    .reduce((text, [value, letters]) => { while (number >= value) { text += letters; number -= value; } return text; }, '');
  const alpha = (number) => { let text = ''; for (; number > 0; number = Math.floor((number - 1) / 26)) text = String.fromCharCode(97 + (number - 1) % 26) + text; return text; };
  const shown = (number, kind) => {
    if (kind === 'decimal-leading-zero') return (number < 0 ? '-' : '') + String(Math.abs(number)).padStart(2, '0');
    if (number < 1 || number > 3999) return String(number);
    switch (kind) {
      case 'lower-roman': return roman(number);
      case 'upper-roman': return roman(number).toUpperCase();
      case 'lower-alpha': case 'lower-latin': return alpha(number);
      case 'upper-alpha': case 'upper-latin': return alpha(number).toUpperCase();
      default: return String(number);
    }
  };`;

/** Expression of the counter styles in which numbers can be shown. */
const NUMERAL_STYLES = '/^(?:decimal(?:-leading-zero)?|(?:lower|upper)-(?:roman|alpha|latin))$/';

/**
 * Defines `countersOf(element)`: the values of its counters by name, the innermost one last, after its `::before`, and
 * after its `::after` as a second list.
 *
 * @param most the number of elements whose counters are known
 * @param isOlder whether the engine follows CSS 2.2 (12.4.1) instead of CSS Lists 3 (4.4.1)
 */
export const counterValues = (most: number, isOlder: boolean): string => `
  let counted = null;
  const countersOf = (element) => (counted ??= countAll()).get(element) ?? [new Map(), new Map()];
  const countAll = () => {
    const values = new Map(), stacks = new Map();
    const pairsOf = (text = '') => Array.from(text.matchAll(/([^\\s()]+) (-?\\d+)/g), ([, name, value]) => [name, Number(value)]);
    const stackOf = (name) => stacks.get(name) ?? stacks.set(name, []).get(name);
    // A counter is in scope for the following siblings of what creates it, and for what is in these; siblings whose parent
    // has one of that name have that one, except in older engines.
    const count = ({ counterReset, counterIncrement, counterSet }, element, parent) => {
      for (const [name, value] of pairsOf(counterReset)) {
        const stack = stackOf(name);
        if (stack.length > 0 && stack.at(-1).parent === parent) stack.pop();
        stack.push({ value, parent: ${isOlder} || stack.length === 0 ? parent : element });
      }
      const lastOf = (name) => {
        const stack = stackOf(name);
        if (stack.length === 0) stack.push({ value: 0, parent });
        return stack.at(-1);
      };
      for (const [name, value] of pairsOf(counterIncrement)) lastOf(name).value += value;
      for (const [name, value] of pairsOf(counterSet)) lastOf(name).value = value;
    };
    const now = () => new Map(Array.from(stacks, ([name, stack]) => [name, stack.map(({ value }) => value)]));
    const leave = (owner) => {
      for (const stack of stacks.values()) while (stack.length > 0 && stack.at(-1).parent === owner) stack.pop();
    };
    const visit = (element) => {
      const style = getComputedStyle(element);
      if (style.display === 'none' || values.size >= ${most}) return;
      const afterGenerated = (pseudo) => {
        const generated = getComputedStyle(element, pseudo);
        if (!/^(?:none|normal)?$/.test(generated.content)) count(generated, pseudo, element);
        const all = now();
        leave(pseudo);
        return all;
      };
      count(style, element, element.parentElement);
      const both = [afterGenerated('::before')];
      values.set(element, both);
      for (const child of element.children) visit(child);
      both.push(afterGenerated('::after'));
      leave(element);
    };
    visit(document.documentElement);
    return values;
  };`;

/**
 * Statements for a script that has `partsOf`, `split` and `unsupported`. They define `counterText(element, part, where,
 * isAfter)`: the text of `counter()` or `counters()` at an element, or what is not supported in `unsupported`, with
 * `where` before it.
 *
 * @param most see `counterValues`
 */
export const counterTexts = (most: number): string => `${NUMERALS}${counterValues(most, false)}
  const counterText = (element, { name: kind, inside }, where, isAfter = false) => {
    const [name = '', ...others] = split(inside);
    const separator = kind.endsWith('counters') ? partsOf(others.shift() ?? '')[0]?.text ?? '' : null;
    const [style = 'decimal'] = others;
    // Pages, footnotes and the items of lists are counted by the engine.
    if (/^(?:pages?|footnote|list-item)$/.test(name) || !${NUMERAL_STYLES}.test(style)) {
      unsupported.add(where + kind + '(' + name + (style === 'decimal' ? '' : ', ' + style) + ')');
      return '';
    }
    const all = countersOf(element)[isAfter ? 1 : 0].get(name) ?? [0];
    return (separator === null ? all.slice(-1) : all).map((value) => shown(value, style)).join(separator ?? '');
  };`;
