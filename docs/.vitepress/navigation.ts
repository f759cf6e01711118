import { ERRORS } from '@platen/contract/errors';
import { FUNCTION_GROUPS, type FunctionGroup } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';

/** The navigation of the site: sections by task, groups, pages. `llms.txt` lists the pages in the same order. */

export interface Group {
  title: string;
  /** Titles by file, from the root of the repository. */
  pages: Readonly<Record<string, string>>;
}

export interface Section {
  title: string;
  /** The folder of its pages on the site. */
  folder: string;
  groups: readonly Group[];
}

export const SECTIONS: readonly Section[] = [
  {
    title: 'Get started',
    folder: 'start',
    groups: [
      {
        title: 'First steps',
        pages: {
          'README.md': 'Overview',
          'docs/getting-started.md': 'Getting started',
          'docs/studio.md': 'Studio',
          'docs/command-line.md': 'Command line',
          'docs/clients.md': 'TypeScript and Python',
        },
      },
      {
        title: 'Samples',
        pages: {
          'docs/samples/README.md': 'All samples',
          'docs/samples/letter.md': 'Letter',
          'docs/samples/invoice.md': 'Invoice',
          'docs/samples/report.md': 'Report',
          'docs/samples/article.md': 'Article with footnotes',
          'docs/samples/contract.md': 'Contract',
          'docs/samples/labels.md': 'Labels',
          'docs/samples/receipt.md': 'Receipt',
          'docs/samples/certificate.md': 'Certificate',
          'docs/samples/ticket.md': 'Ticket',
        },
      },
    ],
  },
  {
    title: 'Recipes',
    folder: 'recipes',
    groups: [
      {
        title: 'Pages and print',
        pages: {
          'docs/recipes/README.md': 'All recipes',
          'docs/recipes/page-numbers.md': 'Page numbers',
          'docs/recipes/first-page.md': 'Another first page',
          'docs/recipes/letterhead.md': 'Letterhead',
          'docs/recipes/tables.md': 'Tables that break well',
          'docs/recipes/certificate.md': 'Certificate',
          'docs/recipes/labels.md': 'Labels',
          'docs/recipes/charts.md': 'Charts',
          'docs/recipes/barcodes.md': 'Barcodes',
          'docs/recipes/fonts.md': 'Your own fonts',
          'docs/recipes/right-to-left.md': 'Right to left',
        },
      },
      {
        title: 'Data and templates',
        pages: {
          'docs/recipes/csv-to-pdfs.md': 'CSV to PDFs',
          'docs/recipes/contract-from-word.md': 'Contract from Word',
          'docs/recipes/webhooks.md': 'Webhooks',
          'docs/recipes/versions.md': 'Versions and roll-back',
          'docs/recipes/templates-in-git.md': 'Templates in git',
          'docs/recipes/embed.md': 'The editor in your site',
        },
      },
      {
        title: 'PDFs and standards',
        pages: {
          'docs/recipes/factur-x.md': 'Invoice with Factur-X',
          'docs/recipes/pdf-a.md': 'PDF/A',
          'docs/recipes/sign.md': 'Sign',
          'docs/recipes/merge-and-stamp.md': 'Merge and stamp',
          'docs/recipes/fill-a-form.md': 'Fill a form',
          'docs/recipes/redact.md': 'Redact',
        },
      },
      {
        title: 'Coming from',
        pages: {
          'docs/recipes/from-wkhtmltopdf.md': 'wkhtmltopdf',
          'docs/recipes/from-puppeteer.md': 'Puppeteer, Playwright',
          'docs/recipes/from-docxtpl.md': 'docxtpl',
          'docs/recipes/from-carbone.md': 'Carbone',
          'docs/recipes/from-jsreport.md': 'jsreport',
        },
      },
    ],
  },
  {
    title: 'Guides',
    folder: 'guides',
    groups: [
      {
        title: 'Templates',
        pages: {
          'docs/templates.md': 'Templates and versions',
          'docs/templating.md': 'Templating',
          'docs/office-templates.md': 'Office templates',
          'docs/partials.md': 'Partials',
          'docs/fonts.md': 'Fonts',
          'docs/languages.md': 'Languages',
          'docs/rich-content.md': 'Rich content',
          'docs/scripts.md': 'Scripts',
          'docs/repository.md': 'Templates in a repository',
        },
      },
      {
        title: 'Documents',
        pages: {
          'docs/rendering.md': 'Rendering',
          'docs/pages.md': 'Pages',
          'docs/contents.md': 'Contents and references',
          'docs/hyphenation.md': 'Hyphenation',
          'docs/report.md': 'Reports on layout',
          'docs/images.md': 'Images and barcodes',
          'docs/convert.md': 'Converting',
        },
      },
      {
        title: 'PDF files',
        pages: {
          'docs/pdf.md': 'PDF operations',
          'docs/pdf-steps.md': 'Chains of steps',
          'docs/pdf-info-and-forms.md': 'Information and forms',
          'docs/conformance.md': 'PDF/A and PDF/UA',
          'docs/factur-x.md': 'Factur-X',
          'docs/signatures.md': 'Signatures',
        },
      },
      {
        title: 'Large work',
        pages: {
          'docs/jobs.md': 'Jobs and webhooks',
          'docs/uploads.md': 'Uploads',
        },
      },
      {
        title: 'Other tools',
        pages: {
          'docs/gotenberg.md': 'Gotenberg’s routes',
          'docs/fastpdf.md': 'FastPDF SDKs',
          'docs/mcp.md': 'Agents (MCP)',
          'docs/mcp-tasks.md': 'Tasks for agents',
          'docs/integrations.md': 'GitHub Actions, n8n, CDK',
        },
      },
    ],
  },
  {
    title: 'Reference',
    folder: 'reference',
    groups: [
      {
        title: 'HTTP',
        pages: {
          'docs/routes/README.md': 'Routes with examples',
          'docs/endpoints.md': 'All fields at a glance',
          'docs/options.md': 'Options of a rendering',
          'docs/errors.md': 'Errors',
          'docs/limits.md': 'Limits',
          'docs/files.md': 'OpenAPI, Postman, Bruno',
        },
      },
      {
        title: 'Language',
        pages: {
          'docs/compatibility.md': 'Compatibility with Jinja2',
        },
      },
      {
        title: 'Interface',
        pages: {
          'docs/interface/README.md': 'Overview',
          'docs/interface/clauses.md': 'Clauses',
          'docs/interface/extensions.md': 'Extensions',
          'docs/interface/resources.md': 'Resources',
        },
      },
    ],
  },
  {
    title: 'Operate',
    folder: 'operate',
    groups: [
      {
        title: 'Run',
        pages: {
          'docs/container.md': 'Container',
          'docs/deploy.md': 'Deploy to AWS',
          'docs/configuration.md': 'Configuration',
          'docs/security.md': 'Security',
          'docs/runbook.md': 'Runbook',
          'SECURITY.md': 'Report a vulnerability',
        },
      },
      {
        title: 'Figures',
        pages: {
          'docs/cost.md': 'Cost',
          'docs/scale.md': 'Scale',
          'docs/benchmarks.md': 'Benchmarks',
          'docs/verification.md': 'Verification',
          'docs/comparisons.md': 'Comparisons',
          'docs/field-reports.md': 'Field reports',
        },
      },
    ],
  },
  {
    title: 'Contribute',
    folder: 'contribute',
    groups: [
      {
        title: 'Project',
        pages: {
          'CONTRIBUTING.md': 'Contributing',
          'docs/architecture.md': 'Architecture',
          'docs/debugging.md': 'Debugging',
          'docs/contributing/style.md': 'Style guide',
          'docs/contributing/releases.md': 'Releases',
          'docs/decisions/README.md': 'Decision records',
          'CODE_OF_CONDUCT.md': 'Code of conduct',
          'CHANGELOG.md': 'Changelog',
          'docs/README.md': 'All documentation',
        },
      },
    ],
  },
];

const ROUTE_GROUPS: Readonly<Record<FunctionGroup, string>> = {
  templates: 'Templates',
  render: 'Rendering',
  images: 'Images and barcodes',
  pdf: 'PDF operations',
  jobs: 'Uploads, jobs, webhooks',
  tokens: 'Tokens',
  service: 'The service',
};

/** The pages of the routes, by group. */
export const ROUTE_SECTION: Section = {
  title: 'Routes',
  folder: 'reference/routes',
  groups: (Object.keys(ROUTE_GROUPS) as FunctionGroup[])
    .filter((group) => FUNCTION_GROUPS.includes(group))
    .map((group) => ({
      title: ROUTE_GROUPS[group],
      pages: Object.fromEntries(
        ROUTES.filter((route) => route.group === group).map(({ operation, summary }) => [
          `docs/routes/${operation}.md`,
          summary,
        ]),
      ),
    })),
};

/** The pages of the error codes, by status. */
export const ERROR_SECTION: Section = {
  title: 'Errors',
  folder: 'reference/errors',
  groups: [...Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)].map(([status, codes]) => ({
    title: String(status),
    pages: Object.fromEntries(codes.map(([code]) => [`docs/errors/${code}.md`, code])),
  })),
};
