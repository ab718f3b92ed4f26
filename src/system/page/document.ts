import { createHash } from "node:crypto";
import { html, Html } from "./html.ts";
import { STYLE } from "./style.ts";

/** Parts of a page without scripts. */
export interface PageParts {
  /** Title of the window. */
  readonly title: string;
  /** Content of the band at the top; default no band. */
  readonly band?: Html;
  readonly main: Html;
  /** Makes the card wider if there is room. */
  readonly wide?: boolean;
  readonly footer?: Html;
}

/** Style element on one line, because the hash covers every character between the tags. */
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
  // A stricter policy would hide the origin of form requests, which the server checks.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** Renders a document in the common style. */
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
