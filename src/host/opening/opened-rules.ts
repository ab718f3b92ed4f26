import { andMore, headline, mostTelling, type Problem } from "../../config/problem.ts";
import { readSecrets, type SecretLimits } from "../../rules/secrets.ts";
import { type Log, RELOAD_STAGE } from "../../runtime/log.ts";
import { openRulesInForce, type RulesInForce } from "../../runtime/reload/rules-in-force.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { SettledOptions } from "./settled-options.ts";
import type { BotParts } from "../parts.ts";

/** Reads and compiles the rules. A problem is reported, and disables only the rule that has it. */
export function rulesOf(
  { readRules, secrets, onProblems }: SettledOptions,
  { store, log }: Pick<BotParts, "store" | "log">,
  { limits, mask }: { readonly limits: SecretLimits; readonly mask: SecretMask },
): Promise<RulesInForce> {
  return openRulesInForce({
    read: readRules,
    store,
    log: log.child({ stage: RELOAD_STAGE }),
    look(ruleset) {
      const { values, problems } = readSecrets(ruleset.secrets, secrets, limits);
      for (const value of Object.values(values)) mask.hide(value);
      return problems;
    },
    report: onProblems ?? logProblems(log),
  });
}

/** Publishes the runtime event `rules-changed` when edited rules become active. */
export function publishRules({ rules, events }: Pick<BotParts, "rules" | "events">): void {
  let { revision } = rules.ruleset;
  rules.onChanged((changes) => {
    if (rules.ruleset.revision === revision) return;
    ({ revision } = rules.ruleset);
    const { length: count } = rules.ruleset.rules;
    const changed = Object.values(changes).flat().length;
    events.publish({ type: "rules-changed", data: { revision, count, changed } });
  });
}

function logProblems(log: Log): (problems: readonly Problem[]) => void {
  return (problems) => {
    const shown = mostTelling(problems);
    for (const problem of shown) {
      const { severity, help } = problem;
      log[severity === "error" ? "error" : "warn"]({ ...(help && { help }) }, headline(problem));
    }
    const rest = problems.length - shown.length;
    if (rest > 0) log.warn(`${andMore(rest)}: answerback check`);
  };
}
