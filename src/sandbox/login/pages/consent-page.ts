import type { AppRow } from "../../apps/entities.ts";
import type { RouteResponse } from "../../kernel/http/route.ts";
import { html, type Html } from "./html.ts";
import { page } from "./page.ts";
import type { Permissions } from "./permissions.ts";
import type { Visitor } from "./session.ts";

/** What a consent page shows and sends. */
export interface Consent {
  readonly app: AppRow;
  readonly permissions: Permissions;
  /** Signed in: one click. Otherwise credentials and grant are on one screen. */
  readonly visitor: Visitor | undefined;
  /** Initial value of the username field. */
  readonly username: string;
  /** What was wrong with the form sent before. */
  readonly fault?: string;
  readonly status?: number;
  /** Where the form is sent, and its hidden fields. */
  readonly action: string;
  readonly hidden: readonly (readonly [string, string])[];
  /** Address of the same page for another account. */
  readonly switchUrl: string;
  readonly basis: string;
}

export function consentPage(consent: Consent): RouteResponse {
  const { app, permissions, visitor, fault, basis } = consent;
  const main = html`${fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`}
    <div class="app">
      ${icon(app)}
      <div>
        <h1>Authorize ${app.name} to use your account?</h1>
        ${developerLine(app)}
      </div>
    </div>
    ${app.description === "" ? undefined : html`<p>${app.description}</p>`}
    ${list("may", "It will be able to", permissions.may)}
    ${list("may-not", "It will not be able to", permissions.mayNot)}
    <form method="post" action="${consent.action}">
      ${consent.hidden.map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
      )}${visitor === undefined ? credentials(consent.username) : signedIn(visitor, consent.switchUrl)}
      <div class="buttons">
        <button class="go" type="submit" name="decision" value="allow">
          ${visitor === undefined ? "Sign in and authorize app" : "Authorize app"}
        </button>
        <button type="submit" name="decision" value="deny" formnovalidate>Cancel</button>
      </div>
    </form>
    ${links(app)}`;
  return page({
    title: `Authorize ${app.name}`,
    main,
    basis,
    status: consent.status ?? 200,
  });
}

function credentials(username: string): Html {
  return html`<h2>Sign in</h2>
    <label for="username">Username</label>
    <input
      id="username"
      name="username"
      type="text"
      value="${username}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      required
    />
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      aria-describedby="hint"
      required
    />
    <p class="soft" id="hint">
      People of this sandbox have the password &quot;password&quot; unless they were given another.
    </p>`;
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

/** Only data URLs: the sandbox's pages load nothing. */
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
  const terms = html`<a href="${termsUrl}">Terms of service</a> `;
  const privacy = html`<a href="${privacyUrl}">Privacy policy</a>`;
  return html`<p class="soft">
      ${termsUrl === "" ? undefined : terms}${privacyUrl === "" ? undefined : privacy}
    </p>
    <p class="soft">You can remove the app's access at any time.</p>`;
}
