import type { Answer } from "../kernel/route.ts";

/** `url` with parameters added to its query; the rest of it stays as the app wrote it. */
export function withQuery(url: string, params: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = url.split("#");
  const joint = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  const query = new URLSearchParams(params).toString();
  return [`${address}${joint}${query}`, ...fragment].join("#");
}

/** Sends the browser on, with the cookie of a session that was opened on the way. */
export function redirect(url: string, cookie?: string): Answer {
  return {
    status: 302,
    text: "",
    headers: {
      // A header holds ASCII only; allowlisted URLs may hold more.
      location: url.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
      "cache-control": "no-store",
      ...(cookie === undefined ? {} : { "set-cookie": cookie }),
    },
  };
}
