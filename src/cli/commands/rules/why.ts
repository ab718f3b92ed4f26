import { Command } from "commander";
import {
  type CommonFlags,
  withCommonFlags,
  whole,
  wholeEvent,
} from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** `why`: explains why rules ran for an event, or did not. */
export function why(io: Io): Command {
  const command = withCommonFlags(new Command("why"))
    .description("explain the outcome of a received event")
    .argument(
      "[event]",
      "its number or key, as journal lists it; @HANDLE: the newest of a person; last: the newest",
      wholeEvent,
      "last",
    )
    .option("--rule <id>", "one rule in full, with the clause that failed", whole("id"));
  const examples = [
    "answerback why @ana",
    "answerback why last",
    "answerback why last --rule hours --json",
  ];
  return withExamples(command, examples).action(
    async (which: string, flags: CommonFlags & { readonly rule?: string }) => {
      const { whyEvent } = await import("../../rule-reports/why-event.ts");
      await whyEvent(io, which, flags);
    },
  );
}
