import { useEffect, useState } from 'preact/hooks';
import { isAbort, messageOf } from '../api/problem.ts';
import type { Report } from '../api/types.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { FaultBox } from '../ui/empty.tsx';
import { findingsOf } from './findings.ts';
import type { EditorModel } from './model.ts';

interface ReportPaneProps {
  model: EditorModel;
  onPage: (page: number) => void;
  onClose: () => void;
}

/** Shows the report beside the pages; it is requested again whenever the pages change. */
export function ReportPane({ model, onPage, onClose }: ReportPaneProps) {
  const [report, setReport] = useState<Report | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const preview = model.preview.value;
  useEffect(() => {
    if (preview === null) return;
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      setReport(await model.report(controller.signal));
      setFault(null);
    };
    ask().catch((error: unknown) => !isAbort(error) && setFault(messageOf(error)));
    return () => controller.abort();
  }, [preview]);
  return (
    <aside class="report" aria-label={text.report.title}>
      <header class="row">
        <h2>{text.report.title}</h2>
        <span class="space" />
        <Button kind="quiet" icon="close" label={text.report.close} onClick={onClose} />
      </header>
      {fault !== null && <FaultBox message={fault} />}
      {report === null && fault === null && <p class="hint">{text.report.busy}</p>}
      {report !== null && <Told report={report} onPage={onPage} />}
    </aside>
  );
}

function Told({ report, onPage }: { report: Report; onPage: (page: number) => void }) {
  const findings = findingsOf(report);
  return (
    <>
      <dl class="facts compact">
        <dt>{text.report.pages}</dt>
        <dd>{report.pages}</dd>
        <dt>{text.report.size}</dt>
        <dd>{text.pdf.bytes(report.bytes)}</dd>
        <dt>{text.report.time}</dt>
        <dd>{text.report.ms(report.timings['total'] ?? 0)}</dd>
        <dt>{text.report.fonts}</dt>
        <dd>{report.fonts.used.join(', ')}</dd>
      </dl>
      <p class={findings.length === 0 ? 'report-good' : 'report-count'} role="status">
        {findings.length === 0 ? text.report.good : text.report.findings(findings.length)}
      </p>
      <ul class="findings">
        {findings.map(({ kind, said, page }, index) => (
          <li key={index}>
            <span class={`badge ${kind === 'violations' || kind === 'glyphs' ? 'fault' : 'draft'}`}>
              {text.report.kinds[kind]}
            </span>
            <span class="finding">{said}</span>
            {page !== null && (
              <button type="button" class="link" onClick={() => onPage(page)}>
                {text.report.page(page)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
