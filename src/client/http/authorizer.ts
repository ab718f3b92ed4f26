import type { CredentialKind } from "./endpoint.ts";

/** What an OAuth 1.0a signature covers; parameters are decoded. */
export interface Signable {
  readonly method: string;
  /** Without a query; the parameters are in `params`. */
  readonly url: URL;
  /** Query and form parameters. JSON and multipart bodies are not signed. */
  readonly params: Readonly<Record<string, string>>;
}

/** Puts one set of credentials on requests. */
export interface Authorizer {
  readonly kind: CredentialKind;
  /** Value of the `Authorization` header. */
  header(request: Signable): string | Promise<string>;
  /**
   * After a 401: whether there are new credentials or another signature, so that the request may be sent once more.
   * `used` is the header that was refused.
   */
  renew(used: string): Promise<boolean>;
  /** The current secrets; must not appear in a message. */
  secrets(): readonly string[];
}
