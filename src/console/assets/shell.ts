import { html, Html } from "../../system/page/html.ts";

/**
 * Returns the HTML document that loads the page's program. The document is the same for all addresses of the console.
 */
export function shell(nonce: string, version: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="csp-nonce" content="${nonce}" />
        <title>Answerback console</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_console/assets/style.css?${version}" />
        <script type="module" src="/_console/assets/main.js?${version}"></script>
      </head>
      <body>
        <div id="page"><p class="loading">Loading the console …</p></div>
        <noscript
          >${new Html("<p>The console needs JavaScript. The command line shows the same: <code>answerback --help</code></p>")}</noscript
        >
      </body>
    </html> `.text;
}

/**
 * Returns the content security policy: no foreign origins, and no embedding in other pages. The nonce allows the
 * editor's style sheet.
 */
export function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
