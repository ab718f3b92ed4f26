import { UsageError } from "../../errors.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL's host is this machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/**
 * Parses a base URL, and refuses URLs to which credentials must not be sent.
 *
 * @throws UsageError if the text is not a URL, has a query, or is plain http to another machine.
 */
export function parseBaseUrl(name: string, value: string): URL {
  if (!URL.canParse(value)) {
    throw new UsageError(`${name} is not a URL: ${JSON.stringify(value)}`, {
      hint: `write it with its scheme: "https://api.example.com"`,
    });
  }
  const url = new URL(value);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new UsageError(`${name} carries a query, a fragment or a user name`, {
      hint: "give the scheme, the host and a path prefix only",
    });
  }
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!secure) {
    throw new UsageError(`${name} would send credentials in the clear to ${url.host}`, {
      hint: "use https; plain http is for this machine only (127.0.0.1, ::1, localhost)",
    });
  }
  return url;
}
