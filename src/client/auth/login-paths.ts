/** Paths of the log-in and token endpoints. All expect a `POST` with a form. */
export const LOGIN_PATHS = {
  /** OAuth 1.0a, step 1: returns a request token. */
  requestToken: "/oauth/request_token",
  /** OAuth 1.0a, step 3: returns a user's access token for a verifier. */
  accessToken: "/oauth/access_token",
  /** App-only: returns the app's own bearer token. */
  appToken: "/oauth2/token",
  invalidateAppToken: "/oauth2/invalidate_token",
  /** OAuth 2.0: returns a user's access token for a code or a refresh token. */
  userToken: "/2/oauth2/token",
  revokeUserToken: "/2/oauth2/revoke",
} as const;
