import type { SessionTokens } from "../../sign-in/session-tokens.ts";

/** Keys in `localStorage`, which belongs to this origin: pages from other ports or hosts can't read it. */
const TOKEN = "answerback-session";
const PROOF = "answerback-proof";

/** Returns the session of this browser; undefined if it is not signed in. */
export function storedSession(): SessionTokens | undefined {
  const token = localStorage.getItem(TOKEN);
  return token === null ? undefined : { token, proof: localStorage.getItem(PROOF) ?? "" };
}

export function storeSession({ token, proof }: SessionTokens): void {
  localStorage.setItem(PROOF, proof);
  localStorage.setItem(TOKEN, token);
}

/** Returns the headers that authorize requests of the session. */
export function sessionHeaders(session = storedSession()): Readonly<Record<string, string>> {
  return session === undefined ? {} : { authorization: `Bearer ${session.token}` };
}

let isLeaving = false;

/**
 * Deletes the stored session and opens the sign-in page. Further calls do nothing, because they would abort the
 * navigation.
 *
 * @param refused Token that the server has refused. If another tab has stored a newer one, the page is loaded again
 *   instead.
 */
export function leave(refused?: string): void {
  if (isLeaving) return;
  isLeaving = true;
  const token = storedSession()?.token;
  if (refused !== undefined && token !== undefined && token !== refused) return location.reload();
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(PROOF);
  const here = location.pathname + location.search;
  location.replace(`/sign-in?to=${encodeURIComponent(here)}`);
}

/** Loads the page again when another tab signs in or out. */
export function followSignIns(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === TOKEN || key === null) location.reload();
  });
}
