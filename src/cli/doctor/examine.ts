import { ConfigError } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import { checkFiles } from "../check-files.ts";
import type { Io } from "../io.ts";
import { settingsFor, type SettingsFlags } from "../settings-flags.ts";
import { onTarget } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";
import { clockOf } from "./clock-check.ts";
import { accountsOf, appOf, budgetsOf } from "./credential-checks.ts";
import { runtimeOf, storeOf } from "./machine-checks.ts";
import { challengeOf, subscriptionsOf, webhookOf } from "./link-checks.ts";

/** Checks everything, from the ground up; what stands on a failed check is left out. */
export async function* examine(
  io: Io,
  flags: SettingsFlags,
): AsyncGenerator<Finding, void, undefined> {
  yield nodeVersion(process.versions.node);
  let settings: Settings;
  try {
    settings = await settingsFor(io, flags);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems.length : 1;
    yield fail("settings", `${problems} problem(s)`, "answerback check");
    return;
  }
  const from = settings.file === undefined ? "no file, all defaults" : settings.file;
  yield ok("settings", `${from}; target ${settings.target}`);
  yield await rulesOf(io, flags.config);
  yield await storeOf(io, settings);
  const { finding, status } = await runtimeOf(settings);
  yield finding;
  try {
    const collected = await onTarget(io, flags, async (target) => {
      const app = await appOf(target);
      const findings: Finding[] = [await clockOf(target), app];
      if (app.state === "fail") return findings;
      const webhook = await webhookOf(target);
      findings.push(webhook.finding);
      if (status !== undefined) findings.push(await challengeOf(target, status));
      const accounts = await accountsOf(target);
      findings.push(...accounts.findings);
      if (webhook.id !== undefined) {
        findings.push(...(await subscriptionsOf(accounts.clients, webhook.id)));
      }
      return [
        ...findings,
        ...budgetsOf([target.app, ...accounts.clients.map(({ client }) => client)]),
      ];
    });
    yield* collected;
  } catch (error) {
    yield failed("platform", error, "answerback status");
  }
}

const OLDEST = [20, 19] as const;

function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld
    ? fail("node", `Node ${version} is too old`, `install Node ${OLDEST.join(".")} or newer`)
    : ok("node", `Node ${version}`);
}

async function rulesOf(io: Io, config: string | undefined): Promise<Finding> {
  const { problems, checked } = await checkFiles(io, [], config);
  if (problems.length === 0) {
    return checked.rules > 0
      ? ok("rules", `${checked.rules} rule(s)`)
      : warn(
          "rules",
          "there is no rule",
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
