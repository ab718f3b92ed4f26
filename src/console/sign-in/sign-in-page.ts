import { html } from "../../system/page/html.ts";
import { PAGE_HEADERS, pageDocument } from "../../system/page/document.ts";

/** What the pages below are sent with. */
export const SIGN_IN_HEADERS = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };

/** For a browser that is not signed in. */
export function signedOutPage(): string {
  return pageDocument({
    title: "Sign in · Answerback console",
    main: html`<h1>This browser is not signed in</h1>
      <p>
        The console is opened by a link that signs a browser in. On the machine on which the bot
        runs:
      </p>
      ${HOW_TO_OPEN}`,
  });
}

/** For a link that signs nobody in any more. */
export function usedLinkPage(): string {
  return pageDocument({
    title: "Sign in · Answerback console",
    main: html`<h1>This link does not sign in any more</h1>
      <p>
        It was used before, or is more than a day old. Get a new one on the machine on which the bot
        runs:
      </p>
      ${HOW_TO_OPEN}`,
  });
}

const HOW_TO_OPEN = html`<p><code>npx answerback open</code></p>
  <p class="soft">
    It opens the console in a browser. <code>answerback status --json</code> gives the link alone,
    as <code>consoleUrl</code>.
  </p>`;
