import { Cii, textAt } from './cii.ts';
import { type InvoiceFault, XmlFault } from './fault.ts';
import { type Profile, PROFILE_FACTS, profileOf } from './profiles.ts';
import { RULES } from './rules/index.ts';
import { schemaFaults } from './schema.ts';
import { parseXml, pathOf, type XmlElement, xmlText } from './xml.ts';

/** The report on an invoice, which is valid if there are no faults. */
export interface InvoiceReport {
  /** null if the XML cannot be parsed or names no known profile. */
  profile: Profile | null;
  faults: InvoiceFault[];
  /** Violations of recommendations. */
  warnings: InvoiceFault[];
  /** Number of further faults that are not in the list. */
  more: number;
}

/** Maximum faults in a report, so that the response stays readable and bounded. */
export const MAX_FAULTS = 500;

/**
 * Validates the XML of an invoice: its syntax, the schema of its profile, and the business rules.
 *
 * @param wanted the required profile; by default the profile that the invoice names (BT-24)
 */
export async function validateInvoice(
  xml: Uint8Array,
  { profile: wanted }: { profile?: Profile } = {},
): Promise<InvoiceReport> {
  let text: string;
  let root: XmlElement;
  try {
    text = xmlText(xml);
    root = parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return unread({ rule: 'xml', detail: error.message, ...(error.line ? { line: error.line } : {}) });
  }
  const fault = headFault(root, wanted);
  const profile = profileOf(guidelineOf(root)) ?? wanted ?? null;
  if (profile === null || root.name !== 'CrossIndustryInvoice') {
    return unread(fault ?? { rule: 'xml', detail: 'The XML is not a Cross Industry Invoice.' });
  }
  const { faults, warnings, left } = checkRules(new Cii(root), profile);
  const all = [...(fault === null ? [] : [fault]), ...(await schemaFaults(text, profile)), ...faults];
  return {
    profile,
    faults: all.slice(0, MAX_FAULTS),
    warnings,
    more: left + Math.max(0, all.length - MAX_FAULTS),
  };
}

function unread(fault: InvoiceFault): InvoiceReport {
  return { profile: null, faults: [fault], warnings: [], more: 0 };
}

function guidelineOf(root: XmlElement): string {
  return textAt(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID');
}

/** Returns a fault if the XML is not an invoice of the required profile; null otherwise. */
function headFault(root: XmlElement, wanted: Profile | undefined): InvoiceFault | null {
  if (root.name !== 'CrossIndustryInvoice') {
    const name = root.name.replace(/^\{[^}]*\}/, '').slice(0, 100);
    return {
      rule: 'xml',
      detail: `The XML is not a Cross Industry Invoice (UN/CEFACT CII): its root is ${name}.`,
      line: root.line,
    };
  }
  const guideline = guidelineOf(root);
  const own = profileOf(guideline);
  if (own !== null && (wanted === undefined || own === wanted)) return null;
  const said =
    guideline === ''
      ? 'The XML names no profile: it has no specification identifier (BT-24).'
      : `The specification identifier (BT-24) is “${guideline.slice(0, 200)}”, which is ${own === null ? 'no profile that is known' : `the profile ${own}`}.`;
  if (wanted === undefined) {
    return { rule: guideline === '' ? 'BR-01' : 'profile', detail: said };
  }
  // BR-01 reports an empty identifier together with the other rules.
  if (guideline === '') return null;
  return { rule: 'profile', detail: `${said} ${wanted} is ${PROFILE_FACTS[wanted].guideline}.` };
}

function checkRules(
  invoice: Cii,
  profile: Profile,
): { faults: InvoiceFault[]; warnings: InvoiceFault[]; left: number } {
  const faults: InvoiceFault[] = [];
  const warnings: InvoiceFault[] = [];
  let left = 0;
  for (const { id, text, severity, profiles, about, holds } of RULES) {
    if (!profiles.has(profile)) continue;
    const found = severity === 'error' ? faults : warnings;
    for (const element of about(invoice)) {
      if (holds(element, invoice)) continue;
      if (found.length >= MAX_FAULTS) {
        if (severity === 'error') left += 1;
        continue;
      }
      const place = element.parent === null ? {} : { line: element.line, element: pathOf(element) };
      found.push({ rule: id, detail: text, ...place });
    }
  }
  return { faults, warnings, left };
}
