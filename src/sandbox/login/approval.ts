import type { User } from "../accounts/entities.ts";
import type { Answer } from "../kernel/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type RequestToken, requestTokens } from "./entities.ts";
import { html } from "./html.ts";
import { notice, page } from "./page.ts";
import { redirect, withQuery } from "./redirect.ts";
import { OUT_OF_BAND } from "./request-token.ts";

/** What the OAuth 1.0a pages stand on. */
export const BASIS = "Documented: log-in flow (OAuth 1.0a). Wording and looks are the sandbox's.";

/** Gives the request token its verifier and sends the person back to the app, or shows the PIN. */
export function approve(
  sandbox: Sandbox,
  token: RequestToken,
  user: User,
  cookie?: string,
): Answer {
  const { world } = sandbox;
  const pin = token.callback === OUT_OF_BAND;
  const verifier = pin ? sevenDigits(world.random.fraction()) : world.random.letters(32);
  requestTokens.in(world).put({ ...token, userId: user.id, verifier });
  if (pin) return pinPage(verifier, cookie);
  const back = { oauth_token: token.token, oauth_verifier: verifier };
  return redirect(withQuery(token.callback, back), cookie);
}

/** Ends the log-in; the app learns which one by `denied`. Source: clients of the live service. */
export function refuse({ world }: Sandbox, token: RequestToken): Answer {
  requestTokens.in(world).delete(token.token);
  if (token.callback !== OUT_OF_BAND) {
    return redirect(withQuery(token.callback, { denied: token.token }));
  }
  return notice("You did not authorize the app", "You can close this page.", BASIS);
}

/** Never starts with 0, so that nobody loses a digit. */
function sevenDigits(fraction: number): string {
  return String(1_000_000 + Math.floor(fraction * 9_000_000));
}

function pinPage(pin: string, cookie: string | undefined): Answer {
  const answer = page({
    title: "Your PIN",
    main: html`<h1>Almost there</h1>
      <p>Go back to the app and enter this PIN. It works once.</p>
      <p><code id="oauth_pin">${pin}</code></p>`,
    basis: BASIS,
  });
  if (cookie === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "set-cookie": cookie } };
}
