/** Key of the session's token in the storage of this origin, which no other port or site reads. */
const KEY = "answerback-session";

/** The session's token; undefined if this browser is not signed in. */
export function storedToken(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}

export function storeToken(token: string): void {
  localStorage.setItem(KEY, token);
}

/** Headers that carry the session. */
export function sessionHeaders(token = storedToken()): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Forgets the session and goes to the page on which one signs in. */
export function leave(): void {
  localStorage.removeItem(KEY);
  const here = location.pathname + location.search;
  location.replace(`/sign-in?to=${encodeURIComponent(here)}`);
}

/** Loads the page again when another tab signs in or out. */
export function followSignIns(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) location.reload();
  });
}
