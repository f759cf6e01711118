import type { InvoiceReportJson } from '@platen/contract/resources';
import { json, type Operations } from '../shared/http/index.ts';

/** The operations of the Factur-X invoice routes. */
export function facturXOperations(): Pick<Operations<'pdf'>, 'validateFacturX'> {
  return {
    async validateFacturX(request) {
      const upload = request.file('xml');
      // The first request that needs the invoice rules loads them.
      const [{ MAX_XML_BYTES, ruleSetOf, validateInvoice }, { profileOfValid }] = await Promise.all([
        import('@platen/factur-x'),
        import('../shared/factur-x.ts'),
      ]);
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
