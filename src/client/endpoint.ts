import type { CredentialKind } from "./credentials.ts";

/** Credentials that act for a user. */
export const USER = ["oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** Any credentials: public data. */
export const ANY = ["bearer", "oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** The app's own bearer token only. */
export const APP = ["bearer"] as const satisfies readonly CredentialKind[];

/** A signed request for a user only: account activity, the 1.1 interface and advertising. */
export const SIGNED = ["oauth1"] as const satisfies readonly CredentialKind[];

/** One operation of the platform. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Template in the post dialect, `:name` for each path parameter. */
  readonly path: string;
  readonly takes: readonly CredentialKind[];
  /** Under the advertising host and its version. */
  readonly ads?: true;
}

/** A table of endpoints, one for each method of a resource. */
export type Endpoints<Methods> = { readonly [Name in keyof Methods]: Endpoint };

/**
 * Stands where a method would, when the client's credentials are of a kind that the endpoint does
 * not take: calling it does not compile, and the compiler's message says which kinds it takes.
 */
export interface NeedsCredentials<Kind extends CredentialKind> {
  readonly "this endpoint takes credentials of type": Kind;
}

/**
 * A resource as a client with credentials of kind `Kind` sees it. Where `Kind` is not known to the
 * compiler every method is there, and an unfit one throws `CredentialError` when called.
 */
export type For<Kind extends CredentialKind, Methods, Table extends Endpoints<Methods>> = {
  readonly [Name in keyof Methods]: Extract<Kind, Table[Name]["takes"][number]> extends never
    ? NeedsCredentials<Table[Name]["takes"][number]>
    : Methods[Name];
};

/** How an endpoint is named in errors and in the rate limit view: `POST /2/posts`. */
export function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Whether a repeat does no harm when nobody knows whether the first try was carried out. */
export function isSafe(endpoint: Endpoint): boolean {
  return endpoint.method !== "POST";
}
