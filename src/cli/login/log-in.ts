import {
  type BeginOptions,
  createOAuth1Login,
  type OAuth1PendingLogin,
  type OAuth1Login,
} from "../../client/login/oauth1.ts";
import { PlatformError } from "../../client/errors.ts";
import { UsageError } from "../../errors.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import { endingWith } from "../../system/ending.ts";
import type { Io } from "../io.ts";
import { linkAccount, type LinkResult } from "./link-account.ts";
import type { PlatformTarget } from "../target/target.ts";
import { listenForCallback, type LoginPage } from "./callback-server.ts";
import { openBrowser } from "./open-browser.ts";

/** Options of `login`. */
export interface LoginOptions extends CommonFlags {
  /** Uses a PIN that the owner copies from the platform's page, instead of a callback. */
  readonly pin?: boolean;
  /** Opens the browser if there is one. */
  readonly open: boolean;
  /** Local port of the callback; 0 for any free port. */
  readonly port: number;
  /** Public callback URL, which a proxy forwards to `port`. */
  readonly callback?: string;
  /** Handle that is prefilled on the platform's page. */
  readonly username?: string;
  /** Maximum wait for the owner, in seconds. */
  readonly wait: number;
}

/**
 * Links an account after its owner has signed in to the platform and approved the app.
 *
 * @returns undefined if Ctrl-C cancelled the log-in.
 * @throws {LoginError} if the owner or the platform refused.
 */
export async function logIn(
  io: Io,
  target: PlatformTarget,
  flags: LoginOptions,
): Promise<LinkResult | undefined> {
  const { baseUrl, dialect, consumerKey, consumerSecret } = target.access;
  const login = createOAuth1Login({ baseUrl, dialect, consumerKey, consumerSecret });
  const ending = endingWith([io.signal], flags.wait * 1_000);
  const waiting = ending.signal;
  try {
    return await (flags.pin === true ? byPin : byCallback)({ io, target, flags, login, waiting });
  } catch (error) {
    if (io.signal.aborted) return undefined;
    if (!waiting.aborted) throw error;
    throw new UsageError(`no approval within ${flags.wait} s`, {
      cause: error,
      hint: "try again with a longer --wait",
    });
  } finally {
    ending.release();
    await login.close();
  }
}

interface LoginAttempt {
  readonly io: Io;
  readonly target: PlatformTarget;
  readonly flags: LoginOptions;
  readonly login: OAuth1Login;
  /** Aborts on Ctrl-C and when the maximum wait is over. */
  readonly waiting: AbortSignal;
}

const NOTHING_LINKED: LoginPage = {
  title: "Nothing was linked.",
  text: "You can close this page; the terminal shows why.",
};

async function byCallback(attempt: LoginAttempt): Promise<LinkResult> {
  const { io, target, flags, login, waiting } = attempt;
  const server = await listenForCallback(flags.port);
  let page = NOTHING_LINKED;
  try {
    const callback = flags.callback ?? server.url;
    await allowOnSandbox(target, callback);
    const begun = await login.begin(callback, signInOf(flags)).catch((error: unknown) => {
      throw withAllowlistHint(error, callback);
    });
    await show(attempt, begun);
    io.err("Waiting for the approval; press Ctrl-C to cancel.\n");
    const params = await server.callback(waiting);
    const { credentials } = await login.complete(params, begun);
    const linked = await linkAccount(io, target, credentials);
    page = {
      title: `@${linked.username} is linked.`,
      text: `${linked.next} Close this page and go back to the terminal.`,
    };
    return linked;
  } finally {
    await server.close(page);
  }
}

/** Makes the owner sign in as the account of `--username`: the browser may have a session of another account. */
function signInOf({ username }: LoginOptions): Pick<BeginOptions, "username" | "forceLogin"> {
  return { username, forceLogin: username !== undefined };
}

async function byPin(attempt: LoginAttempt): Promise<LinkResult> {
  const { io, target, flags, login, waiting } = attempt;
  const begun = await login.beginPin(signInOf(flags));
  await show(attempt, begun);
  io.err("PIN: ");
  for await (const line of io.input.lines(waiting)) {
    const pin = line.trim();
    if (pin === "") continue;
    const { credentials } = await login.completePin(pin, begun);
    return linkAccount(io, target, credentials);
  }
  if (waiting.aborted) throw waiting.reason;
  throw new UsageError("no PIN was given", { hint: "type it at the prompt, or pipe it in" });
}

async function show(
  { io, flags, waiting }: LoginAttempt,
  { url }: OAuth1PendingLogin,
): Promise<void> {
  io.err("Sign in as the account that the bot answers for:\n\n");
  io.err(`  ${url}\n\n`);
  if (flags.open && io.interactive) await openBrowser(url, io.env, waiting);
}

/** Adds the callback to the allowlist of the sandbox's app. */
async function allowOnSandbox({ sandbox }: PlatformTarget, callback: string): Promise<void> {
  if (sandbox === undefined) return;
  const { id } = sandbox.file.app;
  const { callback_urls: urls } = await sandbox.appSettings(id);
  if (urls.includes(callback)) return;
  const otherUrls = urls.filter((url) => !url.startsWith("http://127.0.0.1:"));
  await sandbox.changeApp(id, { callback_urls: [...otherUrls, callback] });
}

const NOT_ALLOWED = 415;

function withAllowlistHint(error: unknown, callback: string): unknown {
  if (!(error instanceof PlatformError) || error.refusal.v1Code !== NOT_ALLOWED) return error;
  return new UsageError(`the app's callback allowlist does not contain ${callback}`, {
    cause: error,
    hint: "add it in the developer portal, name one that is listed there with --callback, or use --pin",
  });
}
