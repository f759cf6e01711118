/** Chains of steps on PDFs. */

export { type HtmlStamps, type OwnFont, type PrintHtml, type Step, processPdfs } from '../steps/index.ts';
export { orderFaults } from '../steps/order.ts';
export { POSITIONS, type Paper, type StepName } from '../steps/types.ts';
