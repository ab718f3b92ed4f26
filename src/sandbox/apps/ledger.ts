import type { LedgerRow } from "../kernel/route.ts";

const section = "Developer app settings";
const control = "The sandbox's own: stands for the developer portal.";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/_sandbox/projects", fidelity: "assumed", note: control },
  { method: "GET", path: "/_sandbox/projects", fidelity: "assumed", note: control },
  { method: "POST", path: "/_sandbox/apps", fidelity: "assumed", note: control },
  { method: "GET", path: "/_sandbox/apps", fidelity: "assumed", note: control },
  {
    method: "GET",
    path: "/_sandbox/apps/:id",
    fidelity: "documented",
    section,
    note: "Key hints, never a secret.",
  },
  { method: "PATCH", path: "/_sandbox/apps/:id", fidelity: "assumed", note: control },
  {
    method: "POST",
    path: "/_sandbox/apps/:id/credentials",
    fidelity: "documented",
    section,
    note: "Regenerate or revoke; a new secret is told once. Regenerating the API key keeps the users' tokens (assumed).",
  },
  {
    method: "POST",
    path: "/_sandbox/users/:id/tokens",
    fidelity: "assumed",
    note: "The log-in flow's result without the pages.",
  },
  { behaviour: "apps per project", fidelity: "documented", section: "Limits" },
  { behaviour: "callback allowlist", fidelity: "documented", section: "Callback URL rules" },
  { behaviour: "at least one authentication method", fidelity: "documented", section },
  {
    behaviour: "the email permission needs terms and privacy URLs",
    fidelity: "documented",
    section: "App permission levels (OAuth 1.0a)",
  },
  {
    behaviour: "client secrets for web apps and bots only",
    fidelity: "documented",
    section,
  },
  {
    behaviour: "an app in no project cannot call v2",
    fidelity: "documented",
    section: "Authentication",
    note: "The body (403 client-forbidden) is the live service's.",
  },
  {
    behaviour: "a change of the permission level voids the OAuth 1.0a tokens issued before",
    fidelity: "documented",
    section: "App permission levels (OAuth 1.0a)",
    note: "That they answer 401 code 89 from then on is assumed; OAuth 2.0 tokens stay.",
  },
  {
    behaviour: "a suspended app is refused with 403 (client-forbidden, code 416)",
    fidelity: "assumed",
    note: "The interface shows the tag, not the answers.",
  },
  {
    behaviour: "the portal's access token speaks for the app's owner",
    fidelity: "documented",
    section: "Credential kinds",
    note: "An app made without owner_id gets a developer account when its first one is made.",
  },
  {
    behaviour: "website, terms, privacy and organization URLs are web addresses",
    fidelity: "stricter",
    note: "The interface names no form.",
  },
];
