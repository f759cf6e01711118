import { invalidInvoice, MAX_XML_BYTES, validateInvoice } from '@platen/factur-x';
import type { InvoiceReportJson } from '../shared/contract/resources.ts';
import { json, type Operations } from '../shared/http/index.ts';

/** The answers to the routes about invoices by Factur-X. */
export function facturXOperations(): Pick<Operations<'pdf'>, 'validateFacturX'> {
  return {
    async validateFacturX(request) {
      const upload = request.file('xml');
      const report = await validateInvoice(await upload.bytes(MAX_XML_BYTES));
      if (report.faults.length > 0 || report.profile === null || report.ruleSet === null) {
        throw invalidInvoice(report, 'xml');
      }
      const { profile, ruleSet, warnings } = report;
      return json({ profile, rule_set: ruleSet, warnings } satisfies InvoiceReportJson);
    },
  };
}
