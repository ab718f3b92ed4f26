import type { CredentialKind } from "./endpoint.ts";

/** Parts of a request that an OAuth 1.0a signature covers; parameters are decoded. */
export interface Signable {
  readonly method: string;
  /** URL without its query; the parameters are in `params`. */
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
   * Renews the credentials after a 401. Returns whether there are new credentials or a new signature, so the request
   * may be sent once more. `used` is the refused header.
   */
  renew(used: string): Promise<boolean>;
  /** The current secrets, to be redacted from messages. */
  secrets(): readonly string[];
}
