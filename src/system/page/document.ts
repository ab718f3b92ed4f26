import { createHash } from "node:crypto";
import { html, Html } from "./html.ts";
import { STYLE } from "./style.ts";

/** Parts of a page without scripts. */
export interface PageParts {
  /** Title of the window. */
  readonly title: string;
  /** Content of a coloured bar at the top of the page; without it there is no bar. */
  readonly band?: Html;
  readonly main: Html;
  /** Whether the content box uses more of a wide window. */
  readonly wide?: boolean;
  readonly footer?: Html;
}

/** Style element on one line: the policy's hash covers every character between the tags, also line breaks. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Content security policy: allows only the page's own style and inline pictures.
 *
 * `form-action` is omitted, because browsers also apply it to the app's callback after a form's redirect.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of the pages that {@link pageDocument} renders. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  // The server checks the origin of form requests; `no-referrer` would replace that origin by `null`.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** Renders a whole HTML document with the style sheet that all pages share. */
export function pageDocument({ title, band, main, wide = false, footer }: PageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${band === undefined ? undefined : html`<header class="band">${band}</header>`}
        <main class="${wide ? "wide" : "narrow"}">${main}</main>
        ${footer === undefined ? undefined : html`<footer>${footer}</footer>`}
      </body>
    </html> `.text;
}
