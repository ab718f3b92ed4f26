import type { RouteResponse } from "../../server/route.ts";

/** Returns `url` with parameters added to its query; the rest stays unchanged. */
export function withQuery(url: string, params: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = url.split("#");
  const joint = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  const query = new URLSearchParams(params).toString();
  return [`${address}${joint}${query}`, ...fragment].join("#");
}

/** Redirects the browser, with the cookie of a new session if there is one. */
export function redirect(url: string, cookie?: string): RouteResponse {
  return {
    status: 302,
    text: "",
    headers: {
      // A header is ASCII only; allowlisted URLs may have other characters.
      location: url.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
      "cache-control": "no-store",
      ...(cookie === undefined ? {} : { "set-cookie": cookie }),
    },
  };
}
