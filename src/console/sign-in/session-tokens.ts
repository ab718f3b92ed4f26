/** Credentials of a session, which its browser stores. */
export interface SessionTokens {
  /** Token that is sent with each request. */
  readonly token: string;
  /**
   * Id and key in the form `ID.KEY`. With the key, the browser checks that it talks to this console before it sends the
   * token again.
   */
  readonly proof: string;
}
