import { ConfigError } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import { checkFiles } from "../check/check-files.ts";
import type { Io } from "../io.ts";
import { settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import { withTarget } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";
import { checkClock } from "./clock-check.ts";
import { checkAccounts, checkApp, checkBudgets } from "./credential-checks.ts";
import { checkRuntime, checkStore } from "./machine-checks.ts";
import { checkChallenge, checkSubscriptions, checkWebhook } from "./webhook-checks.ts";

/** Runs every check, the basic ones first; checks that depend on a failed one are left out. */
export async function* runChecks(
  io: Io,
  flags: SettingsFlags,
): AsyncGenerator<Finding, void, undefined> {
  yield checkNode(process.versions.node);
  let settings: Settings;
  try {
    settings = await settingsFor(io, flags);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems.length : 1;
    yield fail("settings", `${problems} problem(s)`, "answerback check");
    return;
  }
  const from = settings.file === undefined ? "no file, all defaults" : settings.file;
  yield ok("settings", `${from}; target ${settings.target}${envFileText(io)}`);
  yield await checkRules(io, flags.config);
  yield await checkStore(io, settings);
  const { finding, status } = await checkRuntime(settings);
  yield finding;
  try {
    const collected = await withTarget(io, flags, async (target) => {
      const app = await checkApp(target);
      const findings: Finding[] = [await checkClock(target), app];
      if (app.state === "fail") return findings;
      const hasWebhook = settings.source === "webhook";
      const webhook = hasWebhook ? await checkWebhook(target) : undefined;
      if (webhook !== undefined) findings.push(webhook.finding);
      if (hasWebhook && status !== undefined) findings.push(await checkChallenge(target, status));
      const accounts = await checkAccounts(target);
      findings.push(...accounts.findings);
      if (webhook?.id !== undefined) {
        findings.push(...(await checkSubscriptions(accounts.clients, webhook.id)));
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

/** What of the environment comes from a file: names only, the values may be secrets. */
function envFileText({ envFile }: Io): string {
  if (envFile === undefined) return "";
  const names = Object.keys(envFile.values).sort();
  return `; ${names.length === 0 ? "nothing" : names.join(", ")} from ${envFile.path}`;
}

const OLDEST_NODE = [20, 19] as const;

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld
    ? fail("node", `Node ${version} is too old`, `install Node ${OLDEST_NODE.join(".")} or newer`)
    : ok("node", `Node ${version}`);
}

async function checkRules(io: Io, config: string | undefined): Promise<Finding> {
  const { problems, checked } = await checkFiles(io, [], { config });
  if (problems.length === 0) {
    return checked.rules > 0
      ? ok("rules", `${checked.rules} rule(s)`)
      : warn(
          "rules",
          "no rules found",
          "add a file to config/rules, or set rules: in the settings",
        );
  }
  const isBroken = problems.some(({ severity }) => severity === "error");
  return (isBroken ? fail : warn)(
    "rules",
    `${problems.length} problem(s); everything else runs`,
    "answerback check",
  );
}
