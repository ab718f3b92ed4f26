import { html, type Html } from "../../system/page/html.ts";
import { PAGE_HEADERS, pageDocument } from "../../system/page/document.ts";
import type { SessionTokens } from "./session-tokens.ts";
import { packageVersion } from "../../system/package-version.ts";

/** HTTP headers of the sign-in pages. They allow only the console's own scripts. */
export const SIGN_IN_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": `${PAGE_HEADERS["content-security-policy"]}; script-src 'self'; connect-src 'self'; form-action 'self'`,
  "content-type": "text/html; charset=utf-8",
};

const TITLE = "Sign in · Answerback console";

/** Returns the page with a field for a code. @param fault Reason why the previous attempt failed. */
export function signInPage(to: string, fault?: string): string {
  return pageDocument({
    title: TITLE,
    main: html`<h1>Sign in to the console</h1>
      <form id="sign-in" method="post" action="/sign-in">
        <input type="hidden" name="to" value="${to}" />
        <label for="code">Code from the terminal</label>
        <input
          id="code"
          name="code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          placeholder="7KQ2-M9XP"
          maxlength="20"
          required
          autofocus
          ${fault === undefined ? undefined : html`aria-invalid="true" aria-describedby="fault"`}
        />
        ${fault === undefined ? undefined : html`<p id="fault" class="fault" role="alert">${fault}</p>`}
        <div class="buttons"><button class="go" type="submit">Sign in</button></div>
      </form>
      <h2>No code?</h2>
      <p>On the machine on which the bot runs, this command opens the console signed in:</p>
      <p><code>npx answerback open</code></p>
      <p class="soft">
        <code>npx answerback open --print</code> prints a new code instead. A code signs one browser
        in, once and within an hour.
      </p>
      ${script()}`,
  });
}

/** Returns a page that stores a session's tokens in the browser, for this origin only, and then opens the console. */
export function signedInPage({ token, proof }: SessionTokens, to: string): string {
  return pageDocument({
    title: TITLE,
    main: html`<h1>Sign in to the console</h1>
      <p id="signed-in" data-token="${token}" data-proof="${proof}" data-to="${to}">
        Opening the console …
      </p>
      <p id="no-check" role="alert" hidden>
        This browser is not signed in: it can't check that a server is the console, and could send
        the session to another program. Open the console in a current version of Chrome, Edge,
        Firefox or Safari, with: <code>npx answerback open</code>
      </p>
      <noscript><p>The console needs JavaScript.</p></noscript>
      ${script()}`,
  });
}

function script(): Html {
  return html`<script
    type="module"
    src="/_console/assets/sign-in.js?${packageVersion()}"
  ></script>`;
}
