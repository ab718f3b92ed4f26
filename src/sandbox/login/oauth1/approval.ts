import { html } from "../../../system/page/html.ts";
import type { UserRow } from "../../model/accounts.ts";
import type { RouteResponse } from "../../server/route.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type RequestTokenRow, requestTokens } from "../../model/login.ts";
import { notice, page } from "../pages/page.ts";
import { redirect, withQuery } from "../pages/redirect.ts";
import { OUT_OF_BAND } from "./request-token.ts";

/** Text at the foot of the OAuth 1.0a pages about the parts of their behaviour that are documented. */
export const OAUTH1_BASIS =
  "Documented: log-in flow (OAuth 1.0a). Wording and looks are the sandbox's.";

/** Sets the request token's verifier and redirects the person to the app, or shows the PIN. */
export function approve(
  sandbox: Sandbox,
  token: RequestTokenRow,
  user: UserRow,
  cookie?: string,
): RouteResponse {
  const { world } = sandbox;
  const pin = token.callback === OUT_OF_BAND;
  const verifier = pin ? sevenDigitPin(world.random.fraction()) : world.random.alphanumeric(32);
  requestTokens.in(world).put({ ...token, userId: user.id, verifier });
  if (pin) return pinPage(verifier, cookie);
  const back = { oauth_token: token.token, oauth_verifier: verifier };
  return redirect(withQuery(token.callback, back), cookie);
}

/**
 * Ends the log-in. The app receives the request token as the parameter `denied`. Source: clients of the live service.
 */
export function deny({ world }: Sandbox, token: RequestTokenRow): RouteResponse {
  requestTokens.in(world).delete(token.token);
  if (token.callback !== OUT_OF_BAND) {
    return redirect(withQuery(token.callback, { denied: token.token }));
  }
  return notice("You did not authorize the app", "You can close this page.", OAUTH1_BASIS);
}

/** Returns a PIN of seven digits. The first is not 0, so that no program that reads the PIN as a number drops it. */
function sevenDigitPin(fraction: number): string {
  return String(1_000_000 + Math.floor(fraction * 9_000_000));
}

function pinPage(pin: string, cookie: string | undefined): RouteResponse {
  const answer = page({
    title: "Your PIN",
    main: html`<h1>Almost there</h1>
      <p>Go back to the app and enter this PIN. It works once.</p>
      <p><code id="oauth_pin">${pin}</code></p>`,
    basis: OAUTH1_BASIS,
  });
  if (cookie === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "set-cookie": cookie } };
}
