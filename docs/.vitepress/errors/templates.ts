import type { ErrorCode } from '@platen/core/errors';
import { call, type ErrorPage, render } from './page.ts';

/** Errors of templates, their data and their rendering. */

export const TEMPLATE_ERRORS = {
  invalid_option: {
    cause:
      'An option has a value that it cannot have. `errors` gives the field, the value and what is allowed.',
    remedy: 'Correct the value ([options](../options.md)).',
    request: render('<p>Hello', `-F render_options='{"scale": 3}'`),
    detail: 'render_options.scale is 3, but must be a number from 0.1 to 2.',
  },
  option_not_supported: {
    cause: 'The option exists, but the engine or the format of this document cannot do what it says.',
    remedy:
      'Leave the option out, or choose another engine or format. [Options](../options.md) lists which options apply to which documents.',
    request: `echo '<p>Hello' > page.html\n${call('render/html', '-F file_data=@page.html', `-F render_options='{"encrypt_password": "secret"}'`)}`,
    detail:
      'render_options.encrypt_password cannot be honoured in an html document, but in a PDF printed by chrome or a PDF printed by webkit.',
  },
  unsupported_output_format: {
    cause: 'The template cannot become a document of the format in the address.',
    remedy: 'Use a format that the detail names, usually `pdf`.',
    request: call('render/xlsx', '-F file_data=@letter.docx'),
    detail:
      'The format is not supported: a template of the format docx cannot be rendered as "xlsx", only as pdf, docx, odt, report.',
  },
  template_file_invalid: {
    cause: 'The file is not what `format` or its name says, such as a picture as an html template.',
    remedy: 'Check the file, and set `format` in `template_data`.',
    request: call('render/pdf', "-F 'file_data=@logo.png;filename=letter.html'"),
    detail: 'The file is a picture (png), which is not a template.',
  },
  template_syntax: {
    cause:
      'A tag of the template is not closed or not known. `errors` has the file, the line and the column.',
    remedy: 'Correct the line ([templating](../templating.md)). The Studio marks it while you write.',
    request: render('{% for item in items %}<p>{{ item }}'),
    detail:
      "The template cannot be parsed in line 1, column 35: Unexpected end of template. Jinja was looking for the following tags: 'endfor' or 'else'. The innermost block that needs to be closed is 'for'.",
  },
  template_render: {
    cause:
      'The template is valid, but cannot be filled with this data: a value is missing or has another type.',
    remedy: 'Compare the data with the line in `errors`. `{{ value | default("") }}` allows a missing value.',
    request: render('<p>{{ 10 / count }}', `-F render_data='{"count": 0}'`),
    detail: 'The template cannot be filled in line 1, column 10: division by zero',
  },
  template_budget: {
    cause:
      'Filling the template takes more steps, memory or output than a [limit](../limits.md) allows, usually because of a loop in a loop.',
    remedy: 'Prepare the data before you send it, or split the document.',
    request: render(
      '{% for a in range(99999) %}{% for b in range(99999) %}{{ a * b }}{% endfor %}{% endfor %}',
    ),
    detail:
      'The template exceeds a limit in line 1, column 60: The template takes more than 5000000 steps. (limit: steps)',
  },
  too_many_files: {
    cause: 'A template or a tenant has as many files of that kind as it may have ([limits](../limits.md)).',
    remedy: 'Delete files that no template uses.',
    detail: 'There are 100 fonts already, which is the limit.',
  },
  template_too_large: {
    cause: 'The files or texts of the template exceed a [limit](../limits.md).',
    remedy: 'Make pictures smaller, and move shared parts into [partials](../partials.md).',
    detail: 'The template has too many files.',
  },
  archive_invalid: {
    cause: 'The ZIP is damaged, or was not made by `GET /v1/export`.',
    remedy: 'Export again. `errors` names the files that are wrong.',
    request: call('import', '-F file_data=@logo.png'),
    detail:
      'The ZIP cannot be unpacked: End of central directory record signature not found. Either not a zip file, or file is truncated.',
  },
  stylesheet_invalid: {
    cause: 'The file for a style is not CSS.',
    remedy: 'Send CSS as text in UTF-8.',
    request: render('<p>Hello', "-F 'css_look=@logo.png;filename=look.css'"),
    detail: 'css_look is not a stylesheet: it cannot be read as text: it is binary data.',
  },
  render_data_invalid: {
    cause:
      '`render_data` is not an object (or a list of objects for a batch), or does not meet the schema of the template.',
    remedy: 'Send an object: `{"name": "Ada"}`. `errors` names the values that the schema refuses.',
    request: render('<p>{{ name }}', "-F render_data='[1, 2]'"),
    detail:
      'render_data is a list, but one document takes a JSON object; for a document of each record send it to the batch route (/v1/render/{format}/batch/…).',
  },
  batch_empty: {
    cause: 'The batch has no records: the list is empty, or the table has a head only.',
    remedy: 'Send at least one record.',
    request: `echo '<p>{{ name }}' > page.html\n${call('render/pdf/batch', '-F file_data=@page.html', "-F render_data='[]'")}`,
    detail: 'render_data contains no records: send a list of objects, or a file with at least one row.',
  },
  batch_too_large: {
    cause: 'The batch has more records than a request may have ([limits](../limits.md)).',
    remedy: 'Send it as a job (`Prefer: respond-async`), which takes more, or split it.',
    detail: 'The batch has more than 1000 records.',
  },
  batch_failed: {
    cause: 'Records of the batch cannot be rendered. `errors` has the number and the error of each record.',
    remedy: 'Correct the records, or skip them with `?on_error=skip`; the ZIP then has `errors.json`.',
    request: `echo '<p>{{ 10 / count }}' > page.html\n${call('render/pdf/batch', '-F file_data=@page.html', `-F render_data='[{"count": 1}, {"count": 0}]'`)}`,
    detail:
      'Of 2 records, the 2nd cannot be rendered. No file was created; on_error=skip leaves such records out.',
  },
  document_too_large: {
    cause: 'The document needs more memory or pages than printing may take.',
    remedy: 'Split the document, and merge the parts with `POST /v1/pdf/merge`. Make pictures smaller.',
    detail: 'The content is 612 cm high; a page can have 508 cm.',
  },
  document_faulty: {
    cause:
      'The request forbids faults (`fail_on`), and the document has some, such as text that overflows the page.',
    remedy: 'Correct what `errors` lists, or do without `fail_on`.',
    detail: 'Text overflows the page.',
  },
  print_failed: {
    cause: 'The engine cannot print the document: it has no pages, or its margins leave no room.',
    remedy: 'Make margins, header and footer smaller, and check that the document has content.',
    detail: 'The header and the footer leave no room on the page.',
  },
  font_invalid: {
    cause: 'The file is not a font that can be embedded: TrueType, OpenType, WOFF or WOFF2.',
    remedy: 'Send the font file itself, not the CSS of a font service.',
    request: call('fonts/House.ttf', '-X PUT', '-F file_data=@logo.png'),
    detail: 'The file is no font: TrueType, OpenType, a collection, WOFF or WOFF2.',
  },
  office_file_damaged: {
    cause: 'The office file is not complete, or a part of it cannot be read.',
    remedy: 'Open it in its program and save it again.',
    request: `head -c 500 letter.docx > cut.docx\n${call('render/pdf', '-F file_data=@cut.docx')}`,
    detail:
      'The office file cannot be unpacked: End of central directory record signature not found. Either not a zip file, or file is truncated.',
  },
  office_file_encrypted: {
    cause: 'The office file needs a password.',
    remedy: 'Save it without a password, or send `input_password` where the route has it.',
    detail: 'The office file is password-protected: remove the password and send it again.',
  },
  barcode_invalid: {
    cause:
      'The symbology cannot encode the data: a wrong check digit, letters where only digits are allowed, or too much text.',
    remedy: 'Check the data. QR codes and Data Matrix take any text.',
    request: call('render/barcode', `-F data='{"data": "abc", "barcode_format": "ean13"}'`),
    detail: 'The data does not fit ean13: only digits are possible.',
  },
  image_invalid: {
    cause: 'The file is not a picture, or is damaged.',
    remedy: 'Open it in a viewer and save it again.',
    request: `head -c 100 logo.png > cut.png\n${call('render/img', '-F image=@cut.png')}`,
    detail: 'The PNG is cut off: its end is missing.',
  },
  image_format_unsupported: {
    cause: 'The picture has a format that the service does not read.',
    remedy: 'Convert it to PNG, JPEG, WebP or SVG.',
    detail: 'The picture is a RAW photograph, which is not supported.',
  },
  image_too_large: {
    cause: 'The picture has more pixels than it may have ([limits](../limits.md)).',
    remedy: 'Scale it down: 300 dpi are enough for print.',
    detail: 'The image has 30000 x 20000 pixels. At most 150 million, and 65500 on a side, are allowed.',
  },
  answer_too_large: {
    cause: 'The result is larger than a response may be.',
    remedy: 'Send the request as a job (`Prefer: respond-async`): its result is downloaded from the storage.',
    detail:
      'The result has 240 MB; a response may have 210 MB. Send the request with the header `Prefer: respond-async`, and download the result of the job.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorPage>>;
