import { printedParts } from './printed-parts.ts';

/** Elements whose content describes a control of a Word document. */
const DESCRIPTIONS: readonly { element: string; name: RegExp; isControl: (content: string) => boolean }[] = [
  {
    element: 'w:sdtPr',
    name: /<w:(?:alias|tag) w:val="([^"]{1,200})"/,
    // Others are rich text, which wraps any content, and generated parts such as tables of contents.
    isControl: (content) => /<w(?:14)?:(?:text|checkbox|dropDownList|comboBox|date)[\s/>]/.test(content),
  },
  // Fields of older releases of Word.
  { element: 'w:ffData', name: /<w:name w:val="([^"]{1,200})"/, isControl: () => true },
];

/** Controls that are one element: ActiveX in Word and PowerPoint, controls of Excel and of OpenDocument. */
const ELEMENTS =
  /<(?:[wp]:control|control|form:(?:text|textarea|password|formatted-text|number|date|time|checkbox|radio|listbox|combobox|button|image))\s[^<>]{0,2000}>/g;
const ELEMENT_NAME = /\s(?:w:|form:)?name="([^"]{1,200})"/;

/**
 * Returns the names of the form controls of an office document, in the order of each part; the kind of a control that
 * has no name.
 */
export async function formControls(document: Uint8Array): Promise<string[]> {
  const { parts } = await printedParts(document);
  return parts.flatMap((xml) => controlsIn(xml));
}

function controlsIn(xml: string): string[] {
  const described = DESCRIPTIONS.flatMap(({ element, name, isControl }) =>
    contentsOf(xml, element)
      .filter(isControl)
      .map((content) => plain(name.exec(content)?.[1] ?? element)),
  );
  const elements = xml.match(ELEMENTS) ?? [];
  return [...described, ...elements.map((element) => plain(ELEMENT_NAME.exec(element)?.[1] ?? 'control'))];
}

/** Returns the contents of all elements of a name, which do not contain one another. */
function contentsOf(xml: string, element: string): string[] {
  // Split rather than matched: an element without an end must not cost a search of all the rest.
  const parts = xml.split(`</${element}>`);
  return parts.slice(0, -1).map((part) => part.slice(part.lastIndexOf(`<${element}>`)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

function plain(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
