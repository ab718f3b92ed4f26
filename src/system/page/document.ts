import { createHash } from "node:crypto";
import { html, Html } from "./html.ts";
import { STYLE } from "./style.ts";

/** A page that needs no script, as its parts. */
export interface PageParts {
  /** Of the window. */
  readonly title: string;
  /** What stands in the band at its head; no band unless given. */
  readonly band?: Html;
  readonly main: Html;
  /** The card takes more room where there is some. */
  readonly wide?: boolean;
  readonly footer?: Html;
}

/** On one line: its hash is of every character between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Nothing is loaded or run but the page's own style and pictures within it.
 *
 * `form-action` is left out: browsers hold it against an app's callback too, to which a form's answer leads.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What every such page is sent with. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": POLICY,
  // A stricter policy would hide a form's origin, which its check needs.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** A whole document in the one look of all pages. */
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
