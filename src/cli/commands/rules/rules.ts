import { Command } from "commander";
import { type CommonFlags, wholePath, withCommonFlags } from "../../arguments/settings-flags.ts";
import type { Schedule } from "../../../rules/schedule.ts";
import { withDefault, withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList } from "../../output/print.ts";

/** `rules`: lists the rules, and compares them with those of another folder. */
export function rules(io: Io): Command {
  const group = new Command("rules").description(
    "list the rules, or show what other rules would change",
  );
  return withDefault(group, list(io)).addCommand(diff(io));
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description(
    "list the rules in the order in which they are evaluated",
  );
  return withExamples(command, ["answerback rules list"]).action(async (flags: CommonFlags) => {
    const { projectRules } = await import("../../project-rules.ts");
    const ruleset = await projectRules(io, flags);
    const ruleRows = ruleset.rules.map((rule) => ({
      id: rule.id,
      stage: rule.enabled ? rule.stage : "disabled",
      triggers: [...new Set(rule.triggers.map(({ trigger }) => trigger))],
      schedules: rule.triggers.flatMap(({ schedule }) => schedule ?? []),
      group: rule.group,
      revision: rule.revision,
      file: rule.file,
      line: rule.line,
    }));
    printList(
      io,
      flags.json,
      ruleRows,
      [
        { title: "RULE", of: ({ id }) => id },
        { title: "STAGE", of: ({ stage }) => stage },
        { title: "GROUP", of: ({ group }) => group },
        { title: "REVISION", of: ({ revision }) => revision.slice(0, 12) },
        { title: "TRIGGERS", of: triggersInWords },
        { title: "AT", of: ({ file, line }) => `${file}:${line}` },
      ],
      "There are no rules.",
    );
  });
}

/** Triggers of a rule as text; a schedule is shown with its time and time zone. */
function triggersInWords({
  triggers,
  schedules,
}: {
  readonly triggers: readonly string[];
  readonly schedules: readonly Schedule[];
}): string {
  const others = triggers.filter((trigger) => trigger !== "schedule");
  return [...others, ...schedules.map(({ cron, zone }) => `schedule ${cron} ${zone}`)].join(", ");
}

interface DiffFlags extends CommonFlags {
  readonly rules: string;
}

function diff(io: Io): Command {
  const command = withCommonFlags(new Command("diff"))
    .description(
      "compare the rules with another folder, and count the open runs that finish with the current rules",
    )
    .requiredOption("--rules <folder>", "folder of the rules to compare with", wholePath);
  return withExamples(command, ["answerback rules diff --rules rules"]).action(
    async (flags: DiffFlags) => {
      const { diffRules } = await import("../../rule-reports/diff-rules.ts");
      await diffRules(io, flags);
    },
  );
}
