/** Credentials of a session, which its browser stores. */
export interface SessionTokens {
  /** Token that is sent with each request. */
  readonly token: string;
  /** Id and key as `ID.KEY`. By the key, the browser recognizes this console before it sends the token again. */
  readonly proof: string;
}
