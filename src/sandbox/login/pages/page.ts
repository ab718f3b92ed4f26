import { createHash } from "node:crypto";
import type { RouteResponse } from "../../kernel/http/route.ts";
import { html, Html } from "./html.ts";
import { STYLE } from "./style.ts";

/** A page of the platform, as its parts. */
export interface HtmlPage {
  readonly title: string;
  readonly main: Html;
  /** What the page is based on, shown at its foot. */
  readonly basis: string;
  /** 200 by default. */
  readonly status?: number;
}

/** On one line: its hash is of every character between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Nothing is loaded or run but the page's own style and pictures within it.
 *
 * `form-action` is left out: browsers hold it against the app's callback too, to which a form's answer leads.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A whole document, with a banner that says it is the sandbox. Needs no script. */
export function page({ title, main, basis, status = 200 }: HtmlPage): RouteResponse {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Sandbox</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header class="band">
          <strong>Sandbox</strong> This page plays the platform. No real account is involved.
        </header>
        <main>${main}</main>
        <footer>${basis}</footer>
      </body>
    </html> `;
  return {
    status,
    html: document.text,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": POLICY,
      // A stricter policy would hide the form's origin, which its check needs.
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  };
}

/** A page with one message. */
export function notice(title: string, text: string, basis: string, status = 200): RouteResponse {
  const main = html`<h1>${title}</h1>
    <p>${text}</p>`;
  return page({ title, main, basis, status });
}
