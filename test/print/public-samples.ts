/**
 * Public samples of products that print html, by repository: documents of others, which this repository does not
 * contain.
 */

export interface SampleRepository {
  /** The repository's name on GitHub. */
  repository: string;
  commit: string;
  /** Paths from the root of the repository, without `.html`; a style sheet outside the document follows its path. */
  documents: readonly (string | { path: string; style: string })[];
}

const spec = (name: string): string => `specs/${name}`;

export const SAMPLES: readonly SampleRepository[] = [
  {
    repository: 'CourtBouillon/weasyprint-samples',
    commit: '6dc675b05a5cba59576dfaa8881ea6ccdccb13cc',
    documents: [
      { path: 'book/book', style: 'book/book-classical.css' },
      'invoice/invoice',
      'letter/letter',
      { path: 'poster/poster', style: 'poster/poster.css' },
      'report/report',
      'ticket/ticket',
    ],
  },
  {
    repository: 'yeslogic/prince-samples',
    commit: '1d77dc27f724589a3f355fde617970964b8c6aad',
    documents: [
      'changebars/changebars',
      ...['digte', 'essay', 'example', 'letter', 'oliver-twist', 'sample', 'somatosensory'].map(
        (name) => `css4/${name}`,
      ),
      'mfug_talk/mfug',
      'pagination/textbook',
      'pagination/titlepage',
      'thesis/thesis-postproc',
      ...[
        'catalogue/PrinceCatalogue',
        'catalogue/PrinceFurniture',
        'cssdftw',
        'flyer/flyer',
        'g24/recast',
        'interactive/campaign',
        'interactive/fruitstand_form',
        'interactive/menu',
        'invoice/invoicesample',
        'letter',
        'slogans/slogans',
        'webarch',
      ].map((name) => `website_samples/${name}`),
    ],
  },
  {
    repository: 'yeslogic/prince-docs',
    commit: '1d60bff10f5edd26f2acff6c35eb5ba0bd737af6',
    documents: ['box-decoration-break', 'croparea', 'fancyheader', 'lab_report', 'rotate-body', 'slide'].map(
      (name) => `docs/assets/samples/${name}`,
    ),
  },
  {
    repository: 'pagedjs/pagedjs',
    commit: '6b0ff8089f472a17247e44671da93d2d931e656e',
    documents: [
      spec('breaks/break-before/break-before-right/break-before-right'),
      spec('breaks/break-inside/break-inside-avoid/break-inside-avoid'),
      spec('breaks/table/avoid-break-rowspan'),
      spec('counters/counter-page/counter-page'),
      spec('counters/counter-pages/counter-pages'),
      spec('counters/counter-page-reset/counter-page-reset'),
      spec('issues/roman-numerals/roman-numerals'),
      spec('margin-boxes/style/style'),
      spec('margin-boxes/text-align/text-align'),
      spec('named-page/named-page/named-page'),
      spec('named-page/multiple-named/multiple-named'),
      spec('notes/footnotes/footnotes'),
      spec('page-rules/size/landscape/landscape'),
      spec('page-selector/blank-page/blank-page'),
      spec('page-selector/first-page/first-page'),
      spec('page-selector/page-spread/page-spread'),
      spec('position-fixed/position-fixed'),
      spec('splits/tables/long-table'),
      spec('string/string-default'),
      spec('string/string-first-except'),
      spec('string/string-multiple'),
      spec('target/target-counter/target-counter'),
      spec('target/target-text/target-text'),
      spec('widows-orphans/widows-orphans'),
    ],
  },
];
