import { foreignIn } from '../foreign.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { setText } from './fields.ts';

/** Content controls of Word that contained tags (ECMA-376, 17.5.2; [MS-DOCX] 2.5.2.16 for check boxes). */

/** Texts that a value prints for a check box; any other text stays. */
const CHECKED = /^(?:true|yes|1|x)$/i;
const UNCHECKED = /^(?:false|no|0|none|)$/i;
const PLACEHOLDER_STYLE = 'PlaceholderText';

/** Makes the properties of a control say what its content does. */
export function finishControl(control: Element): void {
  const { source } = control;
  if (source === null || foreignIn(source).length === 0) return;
  const properties = control.first('w:sdtPr');
  if (properties === undefined) return;
  // Every program shows the bound data in place of the content, and these data still contain the template's tags.
  for (const property of properties.elements()) {
    if (property.tag.endsWith(':dataBinding')) remove(property);
    if (property.tag === 'w:date') property.unset('w:fullDate');
  }
  const placeholder = properties.first('w:showingPlcHdr');
  if (placeholder !== undefined) {
    remove(placeholder);
    for (const style of all(control, 'w:rStyle')) if (style.get('w:val') === PLACEHOLDER_STYLE) remove(style);
  }
  const box = properties.first('w14:checkbox');
  const content = control.first('w:sdtContent');
  if (content === undefined) return;
  if (box !== undefined) check(box, content);
  const list = properties.first('w:dropDownList') ?? properties.first('w:comboBox');
  if (list !== undefined) select(list, content.textContent().trim());
}

/** Sets the value of a list to that of the item that its text shows; a text that is no item has none. */
function select(list: Element, text: string): void {
  const item = list
    .elements('w:listItem')
    .find((one) => (one.get('w:displayText') ?? one.get('w:value')) === text);
  const value = item?.get('w:value');
  if (value === undefined) list.unset('w:lastValue');
  else list.set('w:lastValue', value);
}

/** Sets the state of a check box: by its sign, or by a text such as `True`, which the sign replaces. */
function check(box: Element, content: Element): void {
  const [checked, unchecked] = ['w14:checkedState', 'w14:uncheckedState'].map((state) => {
    const code = Number.parseInt(box.first(state)?.get('w14:val') ?? '', 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
  const text = content.textContent().trim();
  const isChecked = text === checked || CHECKED.test(text);
  if (!isChecked && text !== unchecked && !UNCHECKED.test(text)) return;
  box.first('w14:checked')?.set('w14:val', isChecked ? '1' : '0');
  const sign = (isChecked ? checked : unchecked) ?? '';
  if (sign !== '' && text !== sign) setText(all(content, 'w:t'), sign);
}
