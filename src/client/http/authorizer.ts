import type { CredentialKind } from "./endpoint.ts";

/** Parts of a request that an OAuth 1.0a signature covers; parameters are decoded. */
export interface Signable {
  readonly method: string;
  /** URL of the request. Signing ignores its query, because `params` has the parameters. */
  readonly url: URL;
  /** Query and form parameters; a list for one that repeats. JSON and multipart bodies are not signed. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
}

/** Adds one set of credentials to requests. */
export interface Authorizer {
  readonly kind: CredentialKind;
  /** Value of the `Authorization` header. */
  header(request: Signable): string | Promise<string>;
  /**
   * Renews the credentials after a 401. Returns true if there is a new token or a new signature, so that the request
   * may be sent once more. `used` is the refused header.
   */
  renew(used: string): Promise<boolean>;
  /** The current secrets, to be redacted from messages. */
  secrets(): readonly string[];
}
