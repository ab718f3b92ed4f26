/** Credentials of a session, which the browser stores. */
export interface SessionTokens {
  /** Token that the browser sends with each request. */
  readonly token: string;
  /**
   * Session id and key as `ID.KEY`. With the key, the browser checks that a server is this console before it sends the
   * token.
   */
  readonly proof: string;
}
