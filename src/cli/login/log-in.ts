import {
  createOAuth1Login,
  type OAuth1Begun,
  type OAuth1Login,
} from "../../client/login/oauth1.ts";
import { PlatformError } from "../../client/errors.ts";
import { UsageError } from "../../errors.ts";
import type { LoginFlags } from "../commands/login.ts";
import type { Io } from "../io.ts";
import { linkAccount, type Linked } from "../link-account.ts";
import type { Target } from "../target/target.ts";
import { listenForCallback } from "./callback-server.ts";
import { openBrowser } from "./open-browser.ts";

/**
 * Has an account's owner sign in and approve, and links it.
 *
 * @returns undefined when the person gave up with Ctrl-C.
 * @throws {LoginError} when the owner refused, or the platform.
 */
export async function logIn(
  io: Io,
  target: Target,
  flags: LoginFlags,
): Promise<Linked | undefined> {
  const { baseUrl, dialect, consumerKey, consumerSecret } = target.access;
  const login = createOAuth1Login({ baseUrl, dialect, consumerKey, consumerSecret });
  const waiting = AbortSignal.any([io.signal, AbortSignal.timeout(flags.wait * 1_000)]);
  try {
    return await (flags.pin === true ? byPin : byCallback)({ io, target, flags, login, waiting });
  } catch (error) {
    if (io.signal.aborted) return undefined;
    if (!waiting.aborted) throw error;
    throw new UsageError(`nobody approved within ${flags.wait} s`, {
      cause: error,
      hint: "begin again, with a longer --wait",
    });
  } finally {
    await login.close();
  }
}

interface Attempt {
  readonly io: Io;
  readonly target: Target;
  readonly flags: LoginFlags;
  readonly login: OAuth1Login;
  /** Aborted when nobody waits any longer. */
  readonly waiting: AbortSignal;
}

async function byCallback(attempt: Attempt): Promise<Linked> {
  const { io, target, flags, login, waiting } = attempt;
  const server = await listenForCallback(flags.port);
  try {
    const callback = flags.callback ?? server.url;
    await allowOnSandbox(target, callback);
    const begun = await login
      .begin(callback, { username: flags.username, forceLogin: flags.username !== undefined })
      .catch((error: unknown) => {
        throw withAllowlistHint(error, callback);
      });
    await show(attempt, begun);
    io.err("Waiting for the approval; Ctrl-C gives up.\n");
    const query = await server.arrival(waiting);
    try {
      const { credentials } = await login.complete(query.params, begun);
      const linked = await linkAccount(io, target, credentials);
      query.answer(
        "The account is linked.",
        "You can close this page and go back to the terminal.",
      );
      return linked;
    } catch (error) {
      query.answer("Nothing was linked.", "You can close this page; the terminal says why.");
      throw error;
    }
  } finally {
    await server.close();
  }
}

async function byPin(attempt: Attempt): Promise<Linked> {
  const { io, target, flags, login, waiting } = attempt;
  const begun = await login.beginPin({ username: flags.username });
  await show(attempt, begun);
  io.err("PIN: ");
  for await (const line of io.input.lines(waiting)) {
    const pin = line.trim();
    if (pin === "") continue;
    const { credentials } = await login.completePin(pin, begun);
    return linkAccount(io, target, credentials);
  }
  if (waiting.aborted) throw waiting.reason;
  throw new UsageError("no PIN was typed in", { hint: "pipe it in, or type it at the prompt" });
}

async function show({ io, flags, waiting }: Attempt, { url }: OAuth1Begun): Promise<void> {
  io.err("Sign in as the account that the bot shall answer for:\n\n");
  io.err(`  ${url}\n\n`);
  if (flags.open && io.interactive) await openBrowser(url, io.env, waiting);
}

/** The sandbox's app is ours: its allowlist gets the callback where it lacks it. */
async function allowOnSandbox({ sandbox }: Target, callback: string): Promise<void> {
  if (sandbox === undefined) return;
  const path = `/apps/${sandbox.file.app.id}`;
  const { callback_urls: urls } = await sandbox.get<{ callback_urls: string[] }>(path);
  if (urls.includes(callback)) return;
  const kept = urls.filter((url) => !url.startsWith("http://127.0.0.1:"));
  await sandbox.call("PATCH", path, { callback_urls: [...kept, callback] });
}

const NOT_ALLOWED = 415;

function withAllowlistHint(error: unknown, callback: string): unknown {
  if (!(error instanceof PlatformError) || error.refusal.v1Code !== NOT_ALLOWED) return error;
  return new UsageError(`the app's callback allowlist does not hold ${callback}`, {
    cause: error,
    hint: "add it in the developer portal, name one that is there with --callback, or use --pin",
  });
}
