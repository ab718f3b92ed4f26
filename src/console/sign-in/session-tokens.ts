/** Credentials of a session, which its browser stores. */
export interface SessionTokens {
  /** Sent with each request. */
  readonly token: string;
  /** `ID.KEY`: by the key the browser checks that it talks to this console before it sends the token again. */
  readonly proof: string;
}
