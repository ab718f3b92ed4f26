import type { SessionTokens } from "../../sign-in/session-tokens.ts";

/** Keys in the storage of this origin, which no other port or site reads. */
const TOKEN = "answerback-session";
const PROOF = "answerback-proof";

/** The session of this browser; undefined if it is not signed in. */
export function storedSession(): SessionTokens | undefined {
  const token = localStorage.getItem(TOKEN);
  return token === null ? undefined : { token, proof: localStorage.getItem(PROOF) ?? "" };
}

export function storeSession({ token, proof }: SessionTokens): void {
  localStorage.setItem(PROOF, proof);
  localStorage.setItem(TOKEN, token);
}

/** Headers that carry the session. */
export function sessionHeaders(session = storedSession()): Readonly<Record<string, string>> {
  return session === undefined ? {} : { authorization: `Bearer ${session.token}` };
}

let isLeaving = false;

/** Deletes the stored session and opens the sign-in page. Further calls do nothing: they would abort the navigation. */
export function leave(): void {
  if (isLeaving) return;
  isLeaving = true;
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
