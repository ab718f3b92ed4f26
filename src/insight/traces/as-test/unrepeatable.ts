import { describeAction } from "../../../actions/actions.ts";
import { handlesIn } from "../../../events/handles.ts";
import { UsageError } from "../../../errors.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";
import type { LaneScene } from "./lane-scenes.ts";
import { writtenEvents } from "./test-event.ts";
import type { Trace } from "../trace.ts";

/**
 * Refuses an event that no test can reproduce.
 *
 * @throws {UsageError} with the reason.
 */
export function refuseUnrepeatable(
  { event, decision, runs, items }: Trace,
  own: readonly LaneScene[],
  ruleset: Ruleset,
): void {
  const refuse = (why: string, hint: string): never => {
    throw new UsageError(`event ${event.seq} can't be made a test: ${why}`, { hint });
  };
  if (decision.undecided !== undefined) {
    refuse(decision.undecided, "wait until it is decided, or mend what has failed");
  }
  if (event.direction === "outbound") {
    refuse("the account itself did it", "a test has only what others do");
  }
  if (own.length === 0) {
    refuse(
      "what began it is not among the latest 1,000 events of its lane",
      "save a later one of the same person",
    );
  }
  if (own.some((one) => writtenEvents(one.event, "").length === 0)) {
    const what = event.triggers.join(", ") || event.kind;
    const hint =
      event.kind === "schedule"
        ? "a schedule comes by time: write  advance_to: 25h  in a test of your own"
        : "answerback explain tests  lists what a test can have";
    refuse(`a test can't have ${what}`, hint);
  }
  const ofBots = own.flatMap((one) => one.items).find(({ run }) => run.includes("/bot:"));
  if (ofBots !== undefined) {
    const name = ofBots.run.slice(ofBots.run.indexOf("/bot:") + 1).replace(":", " ");
    refuse(
      `${name} answered: ${describeAction(ofBots.action, handlesIn(own.map((one) => one.event)))}`,
      "a test of rules can't stand in for a bot: write one with bot_files",
    );
  }
  const outside = outsideAnswer(runs, ruleset);
  if (outside !== undefined) refuse(...outside);
  const [failed] = items.filter(({ status }) => status === "failed");
  if (failed !== undefined) {
    refuse(
      `the platform did not take an answer (${failed.reason ?? "failed"})`,
      "in a test it takes everything",
    );
  }
}

/** Returns the reason and a hint if the answer to the event came from a module or a service; undefined otherwise. */
function outsideAnswer(
  runs: Trace["runs"],
  ruleset: Ruleset,
): readonly [why: string, hint: string] | undefined {
  const verbs = new Map(
    ruleset.rules
      .flatMap((rule) => runs.filter((run) => run.rule === rule.id))
      .flatMap((run) =>
        run.steps.map((step) => [step.verb ?? "", `${step.label} of ${run.rule ?? ""}`] as const),
      ),
  );
  for (const [verb, what] of [
    ["call", "a module"],
    ["http", "a service"],
    ["lookup", "a look-up"],
  ] as const) {
    const label = verbs.get(verb);
    if (label === undefined) continue;
    return [`the answer rests on ${what} (${label})`, BY_HAND[verb]];
  }
  return undefined;
}

const BY_HAND = {
  call: "write a test by hand: it runs the module",
  http: "write a test with  http:  that says what the service answers",
  lookup: "write a test with  lookups:  that says what the platform answers",
} as const;
