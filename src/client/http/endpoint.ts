/** `oauth1` and `oauth2` act for a user, `bearer` for the app. */
export type CredentialKind = "oauth1" | "bearer" | "oauth2";

/** Credentials that act for a user. */
export const USER = ["oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** OAuth 2.0 of a user only: OAuth 1.0a has no permission for these endpoints. */
export const SCOPED = ["oauth2"] as const satisfies readonly CredentialKind[];

/** The app's own bearer token, or OAuth 2.0 of a user: no OAuth 1.0a. */
export const APP_OR_SCOPED = ["bearer", "oauth2"] as const satisfies readonly CredentialKind[];

/** Any kind of credentials, for public data. */
export const ANY = ["bearer", "oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** The app's own bearer token only. */
export const APP = ["bearer"] as const satisfies readonly CredentialKind[];

/** A signed request for a user only: account activity, API v1.1 and advertising. */
export const SIGNED = ["oauth1"] as const satisfies readonly CredentialKind[];

/** Endpoint of the platform's API. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path template in the post dialect, such as `/2/posts/:id`. */
  readonly path: string;
  readonly takes: readonly CredentialKind[];
  /** Whether the path is on the advertising host, below its version. */
  readonly ads?: true;
}

/** A table of endpoints, one for each method of a resource. */
export type Endpoints<Methods> = { readonly [Name in keyof Methods]: Endpoint };

/**
 * TypeScript type that replaces a method whose endpoint does not accept the client's kind of credentials. Calling the
 * method does not compile, and the compiler's message names the accepted kinds.
 */
export interface NeedsCredentials<Kind extends CredentialKind> {
  readonly "this endpoint takes credentials of type": Kind;
}

/**
 * Methods of a resource for a client with credentials of kind `Kind`; methods that refuse this kind become
 * {@link NeedsCredentials}. If the compiler does not know `Kind`, every method is present, and a call with the wrong
 * kind throws `CredentialError`.
 */
export type For<Kind extends CredentialKind, Methods, Table extends Endpoints<Methods>> = {
  readonly [Name in keyof Methods]: Extract<Kind, Table[Name]["takes"][number]> extends never
    ? NeedsCredentials<Table[Name]["takes"][number]>
    : Methods[Name];
};

/** Name of an endpoint in errors and in the rate limit view: `POST /2/posts`. */
export function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Whether a call may be repeated although the outcome of the first attempt is unknown. */
export function isSafe(endpoint: Endpoint): boolean {
  return endpoint.method !== "POST";
}
