import { claimAppend, claimString, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { capitalize } from '../values/methods/casing.ts';
import { truthy } from '../values/iterate.ts';
import type { Value } from '../values/types.ts';
import { Markup, typeName } from '../values/types.ts';

const WORDS =
  `a ac accumsan ad adipiscing aenean aliquam aliquet amet ante aptent arcu at auctor augue bibendum
blandit class commodo condimentum congue consectetuer consequat conubia convallis cras cubilia cum curabitur curae
cursus dapibus diam dictum dictumst dignissim dis dolor donec dui duis egestas eget eleifend elementum elit enim erat
eros est et etiam eu euismod facilisi facilisis fames faucibus felis fermentum feugiat fringilla fusce gravida habitant
habitasse hac hendrerit hymenaeos iaculis id imperdiet in inceptos integer interdum ipsum justo lacinia lacus laoreet
lectus leo libero ligula litora lobortis lorem luctus maecenas magna magnis malesuada massa mattis mauris metus mi
molestie mollis montes morbi mus nam nascetur natoque nec neque netus nibh nisi nisl non nonummy nostra nulla nullam
nunc odio orci ornare parturient pede pellentesque penatibus per pharetra phasellus placerat platea porta porttitor
posuere potenti praesent pretium primis proin pulvinar purus quam quis quisque rhoncus ridiculus risus rutrum sagittis
sapien scelerisque sed sem semper senectus sit sociis sociosqu sodales sollicitudin suscipit suspendisse taciti tellus
tempor tempus tincidunt torquent tortor tristique turpis ullamcorper ultrices ultricies urna ut varius vehicula vel
velit venenatis vestibulum vitae vivamus viverra volutpat vulputate`.split(/\s+/u);

function below(low: number, high: number): number {
  if (high <= low) raise('ValueError', `empty range for randrange() (${low}, ${high}, ${high - low})`);
  return low + Math.floor(Math.random() * (high - low));
}

function int(value: Value): number {
  if (typeof value === 'number') return value;
  return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** `lipsum(n, html, min, max)`: paragraphs of filler text. */
export function lipsum(n: Value, html: Value, min: Value, max: Value): Value {
  const paragraphs: string[] = [];
  let length = 0;
  for (let i = 0; i < int(n); i++) {
    const text = paragraph(below(int(min), int(max)));
    claimAppend(length, text.length);
    length += text.length;
    paragraphs.push(text);
  }
  if (!truthy(html)) return paragraphs.join('\n\n');
  return new Markup(paragraphs.map((text) => `<p>${text}</p>`).join('\n'));
}

/** One paragraph of that many words, with commas and full stops here and there. */
function paragraph(length: number): string {
  spend(length);
  claimString(length * 8);
  const words: string[] = [];
  let [last, lastComma, lastFullStop] = ['', 0, 0];
  let capitalized = true;
  for (let i = 0; i < length; i++) {
    let word = last;
    while (word === last) word = WORDS[below(0, WORDS.length)] ?? '';
    last = word;
    if (capitalized) word = capitalize(word);
    capitalized = false;
    if (i - below(3, 8) > lastComma) {
      lastComma = i;
      lastFullStop += 2;
      word += ',';
    }
    if (i - below(10, 20) > lastFullStop) {
      lastComma = i;
      lastFullStop = i;
      word += '.';
      capitalized = true;
    }
    words.push(word);
  }
  const text = words.join(' ');
  if (text.endsWith(',')) return `${text.slice(0, -1)}.`;
  return text.endsWith('.') ? text : `${text}.`;
}
