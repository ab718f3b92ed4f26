import { hidden, type Sections, shown } from "./statement.ts";

const OAUTH1 = "login/oauth1/oauth1.test.ts:";
const OAUTH2 = "login/oauth2/oauth2.test.ts:";
const PAGES = "login/pages/pages.test.ts:";
const CREDENTIALS = "apps/credentials.test.ts:";
const SETTINGS = "apps/settings.test.ts:";
const CALLBACK = "apps/callback.test.ts:";
const CONTROL = "control/control.test.ts:";
const SUBSCRIPTIONS = "activity/subscriptions.test.ts:";

export const LOGIN: Sections = {
  "Log-in flow (OAuth 1.0a)": [
    shown(
      "POST oauth/request_token takes a signed header with oauth_callback",
      `${OAUTH1} comes with its secret and a confirmed callback`,
    ),
    shown("the callback must be on the allowlist", `${OAUTH1} is refused for $callback: $why`),
    shown(
      "the answer is 200, form-encoded, with token, secret and confirmation",
      `${OAUTH1} comes with its secret and a confirmed callback`,
    ),
    shown(
      "GET oauth/authenticate takes the request token",
      `${PAGES} asks for credentials and grant on one screen`,
    ),
    shown(
      "it ends with a redirect that carries token and verifier",
      `${PAGES} leads back with the request token and a verifier`,
    ),
    shown(
      "POST oauth/access_token takes the verifier in a form body",
      `${OAUTH1} names the user and looks like <user id>-<letters>`,
    ),
    shown(
      "its answer is form-encoded with token and secret",
      `${OAUTH1} names the user and looks like <user id>-<letters>`,
    ),
    shown(
      "the verify-credentials endpoint tells who the user is",
      `${OAUTH1} returns who the token acts for, with all digits of the id`,
    ),
    shown(
      "signing in must be enabled in the app's settings",
      `${PAGES} asks when the app has no sign-in setting`,
    ),
    shown(
      "any status but 200 of request_token is a failure",
      `${OAUTH1} is refused without a callback, with a wrong secret, and to an unknown app`,
    ),
    hidden(
      "the app checks the confirmation and keeps token and secret",
      "it binds the app, not the service",
    ),
    shown(
      "signed in and approved: back at once, unseen",
      `${PAGES} leads back at once from authenticate`,
    ),
    shown("signed in, not approved: asked for approval", `${PAGES} asks for approval only`),
    shown(
      "not signed in: credentials and grant on one screen",
      `${PAGES} asks for credentials and grant on one screen`,
    ),
    shown(
      "not signed in, granted before: the permission list is shown still",
      `${PAGES} still shows the permission list when access was granted before`,
    ),
    hidden(
      "the app compares the callback's token with its own",
      "it binds the app, not the service",
    ),
    shown(
      "the token and secret serve for later requests",
      `${OAUTH1} signs later requests, which carry the level in use`,
    ),
    shown(
      "the request token step, the approval and the exchange follow each other",
      `${OAUTH1} is refused before the user approved, to another app, and without a request token`,
    ),
  ],
  "OAuth 2.0 authorization": [
    shown(
      "oauth2/authorize takes redirect_uri, an exact match of the allowlist",
      `${OAUTH2} a redirect URI that is $why is reported as JSON, not sent there`,
    ),
    shown(
      "state is optional and comes back",
      `${OAUTH2} shows the scopes in plain words and leads back with a code and the state`,
      `${OAUTH2} omits the state if the request had none`,
    ),
    hidden(
      "other parameters and the token endpoint are left open",
      "nothing is said to be held to",
    ),
  ],
  "Developer app settings": [
    shown(
      "an app has ten details, from icon to purpose",
      `${SETTINGS} keep every detail of an app`,
    ),
    shown(
      "name and website show as the source of posts it makes",
      "posts/writing/create.test.ts: names the app as the source of a post",
    ),
    shown(
      "credentials: key and secret, bearer, owner's token, client id and secret",
      `${CREDENTIALS} have hints that match the values shown once`,
      `${CREDENTIALS} the portal's access token acts for the app's owner`,
    ),
    shown(
      "values are told once, later by a hint only",
      `${CREDENTIALS} have hints that match the values shown once`,
      `${SETTINGS} are listed without secrets`,
    ),
    shown(
      "they can be regenerated and revoked",
      `${CREDENTIALS} a regenerated key and secret sign, with the users' tokens, and the old ones no longer`,
      `${CREDENTIALS} a revoked $kind has no hint and no use`,
    ),
    shown(
      "native and single-page apps are public, without a secret",
      `${OAUTH2} %s is public: it has no secret and names itself`,
    ),
    shown(
      "web apps and bots are confidential, with a secret",
      `${OAUTH2} %s is confidential: it proves itself by its secret`,
    ),
  ],
  "Credential kinds": [
    shown(
      "key and secret sign requests and make other tokens",
      `${CREDENTIALS} a regenerated key and secret sign, with the users' tokens, and the old ones no longer`,
      "login/oauth2/app-token.test.ts: is the same for a key and secret until it is invalidated",
    ),
    shown(
      "a portal token stands for the app's owner",
      `${CREDENTIALS} the portal's access token acts for the app's owner`,
    ),
    shown(
      "acting for another user takes the three steps",
      `${OAUTH1} names the user and looks like <user id>-<letters>`,
    ),
    shown(
      "client id and secret get tokens by code with PKCE and scopes",
      `${OAUTH2} returns a token that acts for the user`,
      `${OAUTH2} checks the verifier by method '$method'`,
      `${OAUTH2} holds the token to its scopes`,
    ),
    shown(
      "the app-only token is sent as Bearer",
      `${CREDENTIALS} a regenerated bearer token works, and the old one no longer`,
    ),
    shown(
      "OAuth 1.0a works with 1.1 and 2",
      `${OAUTH1} signs later requests, which carry the level in use`,
      `${OAUTH1} returns who the token acts for, with all digits of the id`,
    ),
    shown(
      "a method can be off, and then its requests are refused",
      `${SETTINGS} OAuth 1.0a requests are refused while it is off`,
      `${OAUTH2} tokens are 401 while the app has OAuth 2.0 turned off`,
    ),
    shown(
      "v2 is closed to an app outside a project",
      `${SETTINGS} outside one it is refused there, and not on version 1.1`,
    ),
    shown(
      "the signed header's parameters, HMAC-SHA1 and version 1.0",
      "auth/signature.test.ts: is the published one for $origin: $why",
      "auth/signature.test.ts: takes oauth_version $version: $why",
    ),
    hidden(
      "signature header, token endpoint, scopes and advertising's scheme are left open",
      "nothing is said to be held to",
    ),
  ],
  "Authentication per endpoint": [
    shown(
      "webhook management takes the app-only token",
      "webhooks/webhooks.test.ts: needs an app-only token",
    ),
    shown(
      "subscribing and asking are signed for the user concerned",
      `${SUBSCRIPTIONS} take $takes only: $method, case %#`,
    ),
    shown(
      "ending, listing, counting and replaying take the app-only token",
      `${SUBSCRIPTIONS} take $takes only: $method, case %#`,
    ),
    shown(
      "log-in requests are signed",
      `${OAUTH1} is refused without a callback, with a wrong secret, and to an unknown app`,
    ),
    shown(
      "a challenge is answered with the consumer secret",
      "webhooks/webhooks.test.ts: fails when the receiver signs with another secret",
    ),
    shown(
      "account activity needs an app of the third level",
      `${SUBSCRIPTIONS} need the direct-message permission level of the subscribing app`,
    ),
    shown(
      "it is a feature of the upper plans",
      `${SUBSCRIPTIONS} is one for the whole account on the pro plan`,
    ),
  ],
  "App permission levels (OAuth 1.0a)": [
    shown(
      "read reads and does not write",
      `${CONTROL} needs the level that the endpoint needs, and a token issued with it`,
      "accounts/relations.test.ts: needs write permission",
    ),
    shown(
      "read-write has no direct messages",
      `${SUBSCRIPTIONS} need the direct-message permission level of the subscribing app`,
      "messages/messages.test.ts: needs the direct-message permission level",
    ),
    shown(
      "the third level has everything",
      "messages/messages.test.ts: answers 201 with the conversation of the two, the lower id first",
    ),
    shown(
      "the email permission goes with any level and needs both URLs",
      `${OAUTH1} has an email only when requested and when the app may see it`,
      `${SETTINGS} refuse $changes whole`,
    ),
    shown(
      "x-access-level tells the level in use, on every answer to a proven caller",
      "kernel/http/responses.test.ts: GET $path is $status: $why",
      `${SETTINGS} %s is in x-access-level`,
    ),
    shown(
      "a change of level ends the tokens issued before",
      `${SETTINGS} a change voids the tokens issued before; signing in again brings new ones`,
    ),
  ],
  "Callback URL rules": [
    shown(
      "a callback matches an entry exactly, in either flow",
      `${OAUTH1} is refused for $callback: $why`,
      `${OAUTH2} a redirect URI that is $why is reported as JSON, not sent there`,
    ),
    shown(
      "ten entries at most",
      `${SETTINGS} take ten callback URLs`,
      `${SETTINGS} refuse $changes whole`,
    ),
    shown(
      "localhost is refused, 127.0.0.1 and custom hosts are not",
      `${CALLBACK} refuse '$url'`,
      `${CALLBACK} allow %s`,
    ),
    shown(
      "custom protocols are fine, but for the 34 listed ones",
      `${CALLBACK} allow %s`,
      `${CALLBACK} refuse the protocol %s`,
    ),
    shown(
      "state carries what belongs to the request",
      `${OAUTH2} a state of 500 characters passes, of 501 does not`,
    ),
  ],
  "Callback URL errors": [
    shown("OAuth 1.0a: 403, JSON with code 415", `${OAUTH1} is refused for $callback: $why`),
    shown(
      "or an XML hash with error and request",
      `${OAUTH1} is refused as an XML hash to a client that asks for XML`,
    ),
    shown(
      "OAuth 2.0: 400, invalid_request and a description",
      `${OAUTH2} a redirect URI that is $why is reported as JSON, not sent there`,
    ),
    shown(
      "any status but 200 of request_token means failure",
      `${OAUTH1} is refused without a callback, with a wrong secret, and to an unknown app`,
    ),
    shown(
      "operational trouble shows as 500, 503 and 404",
      "activity/delivery.test.ts: answers a request: $fault.type",
    ),
    hidden("other error bodies are left open", "nothing is said to be held to"),
  ],
};
