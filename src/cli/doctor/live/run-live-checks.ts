import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { ConfigError, headline } from "../../../config/problem.ts";
import type { Listen, Settings } from "../../../config/settings.ts";
import type { AccessLevel } from "../../../protocol/access.ts";
import type { RuntimeStatus } from "../../../runtime/vocabulary.ts";
import { settingsFor, type SettingsFlags } from "../../arguments/settings-flags.ts";
import type { Io } from "../../io.ts";
import { connected, type PlatformTarget } from "../../target/target.ts";
import { checkClock } from "../clock-check.ts";
import { checkAccounts, checkBudgets } from "../credential-checks.ts";
import { type Finding, fail, failed, ok, warn } from "../finding.ts";
import { checkRuntime } from "../bot-checks.ts";
import { checkStore } from "../machine-checks.ts";
import { checkPermission } from "../permission-check.ts";
import { checkNode, checkRules } from "../project-checks.ts";
import { envFileText } from "../run-checks.ts";
import { checkSubscriptions } from "../subscription-checks.ts";
import { checkBearer, checkKeysAndCallback } from "./app-checks.ts";
import { checkWebhookWay } from "./webhook-way.ts";
import { shell } from "../../../text/shell.ts";

export interface LiveFlags extends SettingsFlags {
  /** Callback URL of `login`. */
  readonly callback: string;
  /** Address to connect to instead of the resolved public address. */
  readonly connectTo?: Listen;
}

/**
 * Checks the connection to the live platform in the order of dependencies, and skips checks that depend on a failed
 * one. Registers the webhook if the platform has none.
 */
export async function runLiveChecks(
  io: Io,
  flags: LiveFlags,
  tell: (finding: Finding) => void,
): Promise<void> {
  tell(checkNode(process.versions.node));
  const settings = await settingsOf(io, flags, tell);
  if (settings === undefined) return;
  for (const { path } of io.envFiles ?? []) await tellOfEnvFile(path, tell);
  const { findings, status } = await checkRuntime(settings);
  if (status !== undefined) for (const finding of findings) tell(finding);
  const rules = await checkRules(io, flags.config);
  tell(rules.finding);
  tell(await checkStore(io, settings));
  try {
    await connected(io, flags, (target) =>
      lookAtPlatform(target, { flags, status, tell, ...rules }),
    );
  } catch (error) {
    tell(failed("platform", error, "answerback status"));
  }
  if (status === undefined) tell(warn("bot", "it does not run yet", "answerback run"));
}

async function settingsOf(
  io: Io,
  flags: LiveFlags,
  tell: (finding: Finding) => void,
): Promise<Settings | undefined> {
  try {
    const settings = await settingsFor(io, flags);
    const isLive = settings.target === "live";
    const from = `${relative(io.cwd, settings.file ?? "") || "no file"}; target ${settings.target}${envFileText(io)}`;
    tell(isLive ? ok("settings", from) : fail("settings", from, liveFix(io)));
    return isLive ? settings : undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      tell(failed("settings", error, "answerback init --live"));
      return undefined;
    }
    const { problems } = error;
    const lacksKeys = problems.every(({ code }) => code === "env-missing");
    tell({
      ...fail(
        "settings",
        `${problems.length} problem(s)`,
        lacksKeys
          ? "put them into .env, from the portal's Keys and tokens; where else they go: answerback init --live"
          : "answerback check",
      ),
      details: problems.map(headline),
    });
    return undefined;
  }
}

/** Fix for settings of the sandbox. A variable takes precedence over the settings file. */
function liveFix({ env, envFiles = [] }: Io): string {
  const variable = "ANSWERBACK_TARGET";
  if ((env[variable] ?? "").trim() === "") {
    return "set target: live, or make others with: answerback init --live";
  }
  const file = envFiles.find(({ values }) => values[variable] !== undefined);
  return file === undefined ? `unset ${variable}` : `remove ${variable} from ${file.path}`;
}

const OTHERS = 0o077;

/** Checks that only the owner can read a file with keys or secrets. */
async function tellOfEnvFile(path: string, tell: (finding: Finding) => void): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & OTHERS) === 0) return tell(ok(".env", "only its owner can read it"));
  const others = (mode & 0o777).toString(8);
  tell(warn(".env", `others can read ${path} (${others})`, shell`chmod 600 ${path}`));
}

interface PlatformLook {
  readonly flags: LiveFlags;
  readonly status: RuntimeStatus | undefined;
  /** Lowest permission level that the rules need. */
  readonly needsLevel: AccessLevel;
  readonly tell: (finding: Finding) => void;
}

async function lookAtPlatform(
  target: PlatformTarget,
  { flags, status, needsLevel, tell }: PlatformLook,
): Promise<void> {
  const app = await checkBearer(target);
  for (const finding of [await checkClock(target), app]) tell(finding);
  if (app.state === "fail") return;
  const keys = await checkKeysAndCallback(target, flags.callback);
  const [ofKeys] = keys;
  if (ofKeys?.state === "fail") return tell(ofKeys);
  const accounts = await checkAccounts(target);
  const [key, callback] = keys;
  const permission = checkPermission(target.settings, needsLevel, accounts.clients);
  for (const one of [key, permission, callback]) if (one !== undefined) tell(one);
  const way = await checkWebhookWay(target, flags.connectTo, status !== undefined);
  for (const finding of [...way.findings, ...accounts.findings]) tell(finding);
  const { id } = way;
  if (id !== undefined) {
    for (const finding of await checkSubscriptions(target, accounts.clients, id)) {
      const comes = warn("subscription", `${finding.message} yet`, "answerback run");
      tell(finding.state === "fail" && status === undefined ? comes : finding);
    }
  }
  const clients = accounts.clients.map(({ client }) => client);
  for (const finding of checkBudgets([target.app, ...clients])) tell(finding);
}
