import type { IncomingMessage, ServerResponse } from 'node:http';

/** The start page, which explains the service and how to call it. It loads no other file. */

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** @param stage prefix of paths: `/live`, or empty */
export function homePage(request: IncomingMessage, response: ServerResponse, stage: string): void {
  const base = `http://${request.headers.host ?? 'localhost'}${stage}`;
  response.writeHead(200, HEADERS).end(page(escape(base)));
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Platen</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='3' y='1' width='10' height='9' fill='%23888'/%3E%3Crect y='11' width='16' height='4' rx='2' fill='%232563eb'/%3E%3C/svg%3E">
<style>
  :root { --ink: #1c1c1e; --soft: #5b5b63; --line: #e2e2e6; --accent: #1d4ed8; --paper: #fff; --code: #f6f6f8 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #ececf0; --soft: #a0a0ab; --line: #34343b; --accent: #7aa2ff; --paper: #18181b; --code: #232328 }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif }
  main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.5rem 6rem }
  h1 { font-size: 2.6rem; line-height: 1.1; letter-spacing: -.02em; margin: 0 }
  h1 + p { font-size: 1.25rem; color: var(--soft); margin: .4rem 0 2.5rem }
  h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem }
  pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto;
        font: 14px/1.55 ui-monospace, monospace; margin: .5rem 0 }
  code { font: .9em ui-monospace, monospace }
  a { color: var(--accent) }
  ul { padding-left: 1.2rem; margin: .5rem 0 }
  footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem }
</style>
</head>
<body>
<main>
<h1>Platen</h1>
<p>A service that renders templates to documents.</p>
<p>The service is running. It stores templates, fills them with JSON and prints them as PDF, one at a time or a ZIP
of thousands; it turns images and barcodes into PDF, and merges, splits, compresses and encrypts PDFs.</p>

<p><a href="/studio/">Studio</a>: templates written, seen and tried in the browser.</p>
<p><a href="/docs/">Documentation</a>: recipes, guides and every route with an example.</p>

<h2>How to call it</h2>
<p>Every call carries a token in the <code>Authorization</code> header. The terminal in which the service was started
shows one; <code>npm run token -- create --tenant NAME</code> makes more.</p>
<pre>export TOKEN=<i>the token from the terminal</i>

curl ${base}/v1/token -H "Authorization: $TOKEN"</pre>

<h2>A first document</h2>
<pre>echo '&lt;h1&gt;Hello {{ name }}&lt;/h1&gt;' &gt; hello.html

curl ${base}/v1/render/pdf -H "Authorization: $TOKEN" \\
  -F file_data=@hello.html -F render_data='{"name": "world"}' -o hello.pdf</pre>

<h2>Everything else</h2>
<ul>
<li><a href="/v1/openapi.json">/v1/openapi.json</a> describes every call, as OpenAPI 3.1.</li>
<li><a href="/docs/llms.txt">/docs/llms.txt</a> lists the documentation for language models.</li>
</ul>

<footer>This page is part of the local service only. On AWS the same functions answer behind an API Gateway.</footer>
</main>
</body>
</html>
`;
}
