import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import type { PdfView } from '../preview/pdf-view.ts';
import { errorPage } from '../help-pages.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { download } from '../ui/download.ts';
import { Icon } from '../ui/icon.tsx';
import type { EditorModel } from './model.ts';
import { type Part, partOf } from './parts.ts';
import { ReportPane } from './report-pane.tsx';

interface PreviewPaneProps {
  model: EditorModel;
  onFault: (part: Part, line: number, column: number) => void;
}

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];
/** Most faults whose positions are listed. */
const LISTED = 20;

/** Shows the pages of the template as it is in the editor. */
export function PreviewPane({ model, onFault }: PreviewPaneProps) {
  const { box, view, pages, page, shownMs } = usePages(model);
  const [isReporting, setReporting] = useState(false);
  const preview = model.preview.value;
  const { problem } = model;
  return (
    <section class="pane preview-pane" aria-label={text.preview.label}>
      <div class="preview-bar">
        <span class="preview-state" role="status">
          {problem.value !== null ? (
            <span class="badge fault">{text.preview.fault}</span>
          ) : pages > 0 ? (
            text.preview.shown(pages, shownMs)
          ) : (
            ''
          )}
        </span>
        {model.isMadeUp.value && <span class="badge draft">{text.preview.madeUp}</span>}
        <span class={model.rendering.value ? 'spinner' : 'spinner still'} aria-hidden="true" />
        <span class="space" />
        {pages > 1 && <span class="page-count">{text.preview.page(page, pages)}</span>}
        <Zoom view={view} />
        <Button
          kind="quiet"
          icon="report"
          label={text.report.show}
          pressed={isReporting}
          disabled={preview === null}
          onClick={() => setReporting(!isReporting)}
        />
        <Button
          kind="quiet"
          icon="download"
          label={text.download}
          disabled={preview === null}
          onClick={() =>
            preview !== null &&
            download(
              new Blob([preview.bytes], { type: 'application/pdf' }),
              `${model.name.value || 'document'}.pdf`,
            )
          }
        />
      </div>
      {problem.value !== null && <Faults model={model} onFault={onFault} />}
      {preview !== null && preview.warnings.length > 0 && <Warnings of={preview.warnings} />}
      <div class="preview-body">
        <div
          ref={box}
          class={problem.value === null ? 'pdf-box' : 'pdf-box stale'}
          tabIndex={0}
          role="document"
          aria-label={text.preview.label}
        >
          {preview === null && problem.value === null && <p class="pdf-waiting">{text.preview.waiting}</p>}
        </div>
        {isReporting && (
          <ReportPane
            model={model}
            onPage={(number) => view.current?.goToPage(number)}
            onClose={() => setReporting(false)}
          />
        )}
      </div>
    </section>
  );
}

/** Shows the newest preview in an element, and reports the visible pages. */
function usePages(model: EditorModel) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<PdfView | null>(null);
  const [pages, setPages] = useState(0);
  const [page, setPage] = useState(1);
  const [shownMs, setShownMs] = useState(0);
  const preview = model.preview.value;
  useEffect(() => {
    if (preview === null || box.current === null) return;
    const element = box.current;
    const show = async (): Promise<void> => {
      const { PdfView } = await import('../preview/pdf-view.ts');
      view.current ??= new PdfView(element, { shown: setPages, pageInSight: setPage });
      // pdf.js transfers the bytes to its worker; the download needs them as well.
      if (!(await view.current.show(preview.bytes.slice(0)))) return;
      const ms = performance.now() - preview.since;
      setShownMs(Math.round(ms));
      // The benchmark reads this.
      element.dataset['shownSince'] = String(preview.since);
      element.dataset['shownMs'] = String(ms);
      element.dataset['requestMs'] = String(preview.ms);
    };
    // The response is not a PDF although its status is 200, so the error is reported here.
    show().catch((error: unknown) => {
      model.problem.value = messageOf(error);
    });
  }, [preview]);
  useEffect(() => () => void view.current?.close(), []);
  return { box, view, pages, page, shownMs };
}

function Zoom({ view }: { view: { readonly current: PdfView | null } }) {
  const [zoom, setZoom] = useState(0);
  const set = (next: number | undefined): void => {
    if (next === undefined) return;
    setZoom(next);
    void view.current?.setZoom(next);
  };
  const now = zoom === 0 ? 1 : zoom;
  return (
    <>
      <Button
        kind="quiet"
        icon="zoomOut"
        label={text.preview.zoomOut}
        onClick={() => set(ZOOMS.findLast((value) => value < now))}
      />
      <button type="button" class="zoom" onClick={() => set(0)} title={text.preview.fit}>
        {zoom === 0 ? text.preview.fit : `${Math.round(zoom * 100)} %`}
      </button>
      <Button
        kind="quiet"
        icon="zoomIn"
        label={text.preview.zoomIn}
        onClick={() => set(ZOOMS.find((value) => value > now))}
      />
    </>
  );
}

function Warnings({ of: warnings }: { of: readonly string[] }) {
  return (
    <details class="warnings">
      <summary>{text.preview.warnings(warnings.length)}</summary>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </details>
  );
}

function Faults({ model, onFault }: PreviewPaneProps) {
  const faults = model.faults.value;
  return (
    <div class="faults" role="alert">
      <p>
        <Icon name="warning" />
        <span>{model.problem.value}</span>
      </p>
      <ul>
        {faults.slice(0, LISTED).map((fault, index) => {
          const { line, column, message, detail, source, pointer } = fault;
          const part = partOf(fault);
          const said = message ?? detail;
          return (
            <li key={index}>
              {line !== undefined && (
                <button type="button" class="link" onClick={() => onFault(part, line, column ?? 1)}>
                  {text.preview.place(part, line)}
                </button>
              )}
              {pointer !== undefined && pointer !== '' && <code>{pointer}</code>}
              {(line === undefined || pointer !== undefined) && said !== model.problem.value && said}
              {source !== undefined && <code>{source.trim().slice(0, 200)}</code>}
            </li>
          );
        })}
      </ul>
      {model.problemCode.value !== null && <DocsLink page={errorPage(model.problemCode.value)} />}
    </div>
  );
}
