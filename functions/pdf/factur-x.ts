import { MAX_XML_BYTES, ruleSetOf, validateInvoice } from '@platen/factur-x';
import type { InvoiceReportJson } from '../shared/contract/resources.ts';
import { profileOfValid } from '../shared/factur-x.ts';
import { json, type Operations } from '../shared/http/index.ts';

/** The answers to the routes about invoices by Factur-X. */
export function facturXOperations(): Pick<Operations<'pdf'>, 'validateFacturX'> {
  return {
    async validateFacturX(request) {
      const upload = request.file('xml');
      const report = await validateInvoice(await upload.bytes(MAX_XML_BYTES));
      const profile = profileOfValid(report, 'xml');
      return json({
        profile,
        rule_set: ruleSetOf(profile),
        warnings: report.warnings,
      } satisfies InvoiceReportJson);
    },
  };
}
