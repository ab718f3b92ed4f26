import { ConfigError } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import type { Io } from "../io.ts";
import { settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import { platformTime } from "../target/platform-time.ts";
import { connected } from "../target/target.ts";
import { type Finding, fail, failed, ok } from "./finding.ts";
import { checkClock } from "./clock-check.ts";
import { checkAccounts, checkApp, checkBudgets } from "./credential-checks.ts";
import { checkRuntime } from "./bot-checks.ts";
import { checkStore } from "./machine-checks.ts";
import { checkSecrets } from "./secrets-check.ts";
import { checkPermission } from "./permission-check.ts";
import { checkNode, checkRules } from "./project-checks.ts";
import { checkSubscriptions } from "./subscription-checks.ts";
import { checkPosts } from "./usage-check.ts";
import { checkChallenge, checkWebhook } from "./webhook-checks.ts";

/** Runs all checks, the basic ones first, and skips checks that depend on a failed one. */
export async function* runChecks(
  io: Io,
  flags: SettingsFlags,
): AsyncGenerator<Finding, void, undefined> {
  let settings: Settings;
  try {
    settings = await settingsFor(io, flags);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems.length : 1;
    yield checkNode(process.versions.node);
    yield fail("settings", `${problems} problem(s)`, "answerback check");
    return;
  }
  const from = settings.file === undefined ? "no file, all defaults" : settings.file;
  const { findings: reported, status } = await checkRuntime(settings);
  yield* reported;
  yield checkNode(process.versions.node);
  yield ok("settings", `${from}; target ${settings.target}${envFileText(io)}`);
  yield checkSecrets(io, settings);
  const rules = await checkRules(io, flags.config);
  yield rules.finding;
  yield await checkStore(io, settings);
  try {
    const collected = await connected(io, flags, async (target) => {
      const app = await checkApp(target);
      const findings: Finding[] = [await checkClock(target), app];
      if (app.state === "fail") return findings;
      findings.push(await checkPosts(target.app, await platformTime(target.folder)));
      const hasWebhook = settings.source !== "polling";
      const webhook = hasWebhook ? await checkWebhook(target) : undefined;
      if (webhook !== undefined) findings.push(webhook.finding);
      if (hasWebhook && status !== undefined) findings.push(await checkChallenge(target, status));
      if (settings.role === "receiver") return findings;
      const accounts = await checkAccounts(target);
      findings.push(...accounts.findings);
      findings.push(checkPermission(settings, rules.needsLevel, accounts.clients));
      if (webhook?.id !== undefined) {
        findings.push(...(await checkSubscriptions(target, accounts.clients, webhook.id)));
      }
      return [
        ...findings,
        ...checkBudgets([target.app, ...accounts.clients.map(({ client }) => client)]),
      ];
    });
    yield* collected;
  } catch (error) {
    yield failed("platform", error, "answerback status");
  }
}

/**
 * Text with the names of the environment variables that come from each `.env` file, and its path. Values may be secret
 * and are omitted.
 */
export function envFileText({ envFiles = [] }: Io): string {
  const texts = envFiles.map(({ path, values }) => {
    const names = Object.keys(values).filter((name) => values[name] !== "");
    return `; ${names.length === 0 ? "nothing" : names.sort().join(", ")} from ${path}`;
  });
  return texts.join("");
}
