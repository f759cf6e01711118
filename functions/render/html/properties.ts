import type { Descriptions } from '@platen/print/page';
import { isoDate, metadataValues } from '@platen/pdf/options';
import type { Step } from '@platen/pdf/steps';

/**
 * The step that makes the descriptions of a page properties of its PDF, in Info and in XMP; none if there are no
 * descriptions. Authors and keywords may have several elements. A date that is not in ISO 8601 is no property.
 */
export function propertiesStep({ author, keywords, description, date }: Descriptions): Step[] {
  const created = isoDate(date?.[0] ?? '');
  const properties = {
    ...(author === undefined ? {} : { Author: author.join(', ') }),
    ...(keywords === undefined ? {} : { Keywords: keywords.join(', ') }),
    ...(description === undefined ? {} : { Subject: description[0] ?? '' }),
    ...(created === undefined ? {} : { CreationDate: created }),
  };
  const options = metadataValues(properties);
  return Object.keys(options).length === 0 ? [] : [{ name: 'metadata', options }];
}
