import { html, type Html } from "../../../system/page/html.ts";
import type { AppRow } from "../../model/apps.ts";
import type { RouteResponse } from "../../server/route.ts";
import type { UserRow } from "../../model/accounts.ts";
import type { ConsentFault } from "./consent-decision.ts";
import { page } from "./page.ts";
import type { Permissions } from "./permissions.ts";
import type { Visitor } from "./session.ts";

/** Contents of a consent page and of its form. */
export interface Consent extends Partial<ConsentFault> {
  readonly app: AppRow;
  readonly permissions: Permissions;
  /** Signed-in person, who consents with one click. Without one, the form also asks for name and password. */
  readonly visitor: Visitor | undefined;
  /** Users who can consent with one click, besides `visitor`. */
  readonly people: readonly UserRow[];
  /** Initial value of the username field. */
  readonly username: string;
  /** URL that the form is sent to. */
  readonly action: string;
  /** Names and values of the form's hidden fields. */
  readonly hidden: readonly (readonly [string, string])[];
  /** URL of the same page without the signed-in person, to sign in to another account. */
  readonly switchUrl: string;
  readonly basis: string;
}

/**
 * Renders a consent page. Permissions are beside the form, or below the form on narrow screens, so that the button is
 * visible without scrolling.
 */
export function consentPage(consent: Consent): RouteResponse {
  const { app, permissions, visitor, people, fault, inCredentials, basis } = consent;
  const inForm = inCredentials === true ? fault : undefined;
  const main = html`${fault === undefined || inForm !== undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`}
    <div class="app">
      ${icon(app)}
      <div>
        <h1>Authorize ${app.name} to use your account?</h1>
        ${developerLine(app)}
        ${app.description === "" ? undefined : html`<p>${app.description}</p>`}
      </div>
    </div>
    <div class="sides">
      <form method="post" action="${consent.action}">
        ${consent.hidden.map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
        )}${visitor === undefined ? credentials(consent.username, inForm) : signedIn(visitor, consent.switchUrl)}
        <div class="buttons">
          <button class="go" type="submit" name="decision" value="allow">
            ${visitor === undefined ? "Sign in and authorize app" : "Authorize app"}
          </button>
          <button type="submit" name="decision" value="deny" formnovalidate>Cancel</button>
        </div>
        ${people.length === 0 ? undefined : chooser(people)}
      </form>
      <section>
        ${list("may", "It will be able to", permissions.may)}
        ${list("may-not", "It will not be able to", permissions.mayNot)} ${links(app)}
      </section>
    </div>`;
  return page({
    title: `Authorize ${app.name}`,
    main,
    wide: true,
    basis,
    status: consent.status ?? 200,
  });
}

/** Renders buttons for other people, after the form's own button: Enter in a field activates the first button. */
function chooser(people: readonly UserRow[]): Html {
  return html`<h2 id="people">Or continue as</h2>
    <div class="people" role="group" aria-labelledby="people">
      ${people.map(
        ({ username }) =>
          html`<button type="submit" name="continue_as" value="${username}" formnovalidate>
            @${username}
          </button> `,
      )}
    </div>`;
}

function credentials(username: string, fault: string | undefined): Html {
  const wrong = fault === undefined ? html`` : html`aria-invalid="true"`;
  return html`<label for="username">Username</label>
    <input
      id="username"
      name="username"
      type="text"
      value="${username}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      required
      ${wrong}
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      aria-describedby="${fault === undefined ? "hint" : "fault"}"
      required
      ${wrong}
    />
    ${fault === undefined ? undefined : html`<p class="fault" id="fault" role="alert">${fault}</p>`}
    <p class="soft" id="hint">It is &quot;password&quot; unless somebody has changed it.</p>`;
}

function signedIn({ user, session }: Visitor, switchUrl: string): Html {
  return html`<input type="hidden" name="authenticity_token" value="${session.formKey}" />
    <p>
      You are signed in as <strong>@${user.username}</strong> (${user.name}).
      <a href="${switchUrl}">Use another account</a>
    </p>`;
}

function list(name: string, title: string, items: readonly string[]): Html {
  return html`<h2 id="${name}">${title}</h2>
    <ul class="${name}" aria-labelledby="${name}">
      ${items.map((item) => html`<li>${item}</li> `)}
    </ul>`;
}

/** Renders the app's icon. Only data URLs are used, since the sandbox's pages load no files. */
function icon({ iconUrl, name }: AppRow): Html {
  if (/^data:image\//i.test(iconUrl)) return html`<img class="icon" src="${iconUrl}" alt="" />`;
  return html`<span class="icon" aria-hidden="true">${Array.from(name)[0]?.toUpperCase()}</span>`;
}

function developerLine({ organizationName, organizationUrl, websiteUrl }: AppRow): Html {
  const url = organizationUrl === "" ? websiteUrl : organizationUrl;
  const name = organizationName === "" ? url : organizationName;
  if (name === "") return html``;
  const shown = url === "" ? html`${name}` : html`<a href="${url}">${name}</a>`;
  return html`<p class="soft">By ${shown}</p>`;
}

function links({ termsUrl, privacyUrl }: AppRow): Html {
  const terms = html`<a href="${termsUrl}">Terms of service</a>`;
  const privacy = html`<a href="${privacyUrl}">Privacy policy</a>`;
  return html`<p class="soft">
      ${termsUrl === "" ? undefined : terms}
      ${termsUrl === "" || privacyUrl === "" ? undefined : "·"}
      ${privacyUrl === "" ? undefined : privacy}
    </p>
    <p class="soft">You can remove the app's access at any time.</p>`;
}
