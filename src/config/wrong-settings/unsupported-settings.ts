/** Reason why a setting is refused, and what to write instead. */
interface Unsupported {
  readonly message: string;
  readonly help: string;
}

const OAUTH2 =
  "remove it: bots act with OAuth 1.0a; a program of yours gives it to createOAuth2Login";

/** Settings that no code of this version reads, by path. They are refused instead of silently ignored. */
const HELP: ReadonlyMap<string, string> = new Map([
  ["app.client_id", OAUTH2],
  ["app.client_secret", OAUTH2],
]);

/** Environment variables of the unsupported settings, by setting path. */
export const UNSUPPORTED_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["app.client_id", "ANSWERBACK_APP_CLIENT_ID"],
  ["app.client_secret", "ANSWERBACK_APP_CLIENT_SECRET"],
]);

/** Returns why the setting at `path`, such as `app.client_id`, is refused; undefined if it is simply unknown. */
export function unsupportedSetting(path: string): Unsupported | undefined {
  const help = HELP.get(path);
  if (help === undefined) return undefined;
  return { message: `"${path}" is not supported by this version`, help };
}
