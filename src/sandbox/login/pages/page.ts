import { PAGE_HEADERS, pageDocument } from "../../../system/page/document.ts";
import { html, type Html } from "../../../system/page/html.ts";
import type { RouteResponse } from "../../server/route.ts";

/** Content of an HTML page that stands in for a page of the platform. */
export interface HtmlPage {
  readonly title: string;
  readonly main: Html;
  /** Whether the content box may be wider than usual. */
  readonly wide?: boolean;
  /** Text at the foot of the page about the parts of its behaviour that are documented. */
  readonly basis: string;
  /** HTTP status, 200 by default. */
  readonly status?: number;
}

const BAND = html`<strong>Sandbox</strong> This page plays the platform. No real account is
  involved.`;

/** Renders a whole document with a banner that identifies the sandbox. Needs no script. */
export function page({ title, main, wide = false, basis, status = 200 }: HtmlPage): RouteResponse {
  const footer = html`${basis}`;
  return {
    status,
    html: pageDocument({ title: `${title} · Sandbox`, band: BAND, main, wide, footer }),
    headers: PAGE_HEADERS,
  };
}

/** Renders a page with one message. */
export function notice(title: string, text: string, basis: string, status = 200): RouteResponse {
  const main = html`<h1>${title}</h1>
    <p>${text}</p>`;
  return page({ title, main, basis, status });
}
