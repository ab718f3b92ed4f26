import type { Page } from "playwright-core";
import { Browser, type View } from "../support/browser.ts";
import { PAGES } from "../../src/console/pages.ts";

/** Requests of a signed-in browser, with the session's token. No scripts run in it. */
export interface SignedIn {
  readonly token: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<View>;
  readonly post: (
    path: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<View>;
}

/** Posts the token in an invitation's address, as the page at that address does. */
export function postToken(
  link: string,
  more: Readonly<Record<string, string>> = {},
): Promise<View> {
  const { origin, hash } = new URL(link);
  const token = new URLSearchParams(hash.slice(1)).get("token") ?? "";
  return postForm(origin, { token, ...more });
}

/** Posts the form of the sign-in page. */
export function postForm(
  origin: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { origin },
): Promise<View> {
  const body = new URLSearchParams(fields);
  return new Browser().open(`${origin}/sign-in`, { method: "POST", body, headers });
}

/** Returns the session's token from the page after a sign-in; undefined if the page has none. */
export function tokenOf({ dom }: View): string | undefined {
  return dom.querySelector("#signed-in")?.getAttribute("data-token");
}

export async function signInBy(link: string): Promise<SignedIn> {
  const view = await postToken(link);
  const token = tokenOf(view);
  if (token === undefined) throw new Error(`no session: ${view.text}`);
  return signedInWith(new URL(link).origin, token);
}

export function signedInWith(origin: string, token: string): SignedIn {
  const browser = new Browser();
  const authorization = `Bearer ${token}`;
  return {
    token,
    get: (path, headers) =>
      browser.open(`${origin}${path}`, { headers: { authorization, ...headers } }),
    post: (path, body, headers) =>
      browser.open(`${origin}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", origin, authorization, ...headers },
      }),
  };
}

/** Opens an invitation's address in a real browser, and waits until it shows a page of the console. */
export async function signInPage(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.waitForURL(({ pathname }) => PAGES.some(({ path }) => path === pathname));
}
