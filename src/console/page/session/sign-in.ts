import { sessionHeaders, storedSession, storeSession } from "./stored-session.ts";

/**
 * Script of the pages in `sign-in-page.ts`. It stores a new session, or sends the token in the address as the body of a
 * form.
 */
const signedIn = document.querySelector<HTMLElement>("#signed-in");
const form = document.querySelector<HTMLFormElement>("#sign-in");

if (signedIn !== null) {
  const { token = "", proof = "", to = "/" } = signedIn.dataset;
  // Without `crypto.subtle`, which browsers omit on insecure origins, `isOwnServer` could not check the server later.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle === undefined) {
    signedIn.hidden = true;
    document.querySelector("#no-check")?.removeAttribute("hidden");
  } else {
    storeSession({ token, proof });
    location.replace(to);
  }
} else if (form !== null) {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  // Removes the token from the address, because the address stays in the browser's history.
  history.replaceState(null, "", location.pathname + location.search);
  if (token === null) await goOnIfSignedIn(form);
  else send(form, token);
}

function send(to: HTMLFormElement, token: string): void {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "token";
  field.value = token;
  to.append(field);
  // Unlike `requestSubmit`, `submit` skips validation: the required field for the code is empty here.
  to.submit();
}

async function goOnIfSignedIn(signInForm: HTMLFormElement): Promise<void> {
  if (storedSession() === undefined) return;
  const { ok } = await fetch("/_console/session", { headers: sessionHeaders() });
  if (ok) location.replace(signInForm.querySelector<HTMLInputElement>("[name=to]")?.value ?? "/");
}
