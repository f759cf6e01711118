/** Times as people read them, in the language of the browser. */

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const dateOf = (timestamp: string): string => DATE.format(new Date(timestamp));

export const timeOf = (timestamp: string): string => TIME.format(new Date(timestamp));
