import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import { type Argument, compileArgument } from "./written/step-argument.ts";
import type { TextTemplate } from "../expression/template.ts";
import { type BotPause, type HandOver, PAUSE_PER, PRIORITIES } from "../run/hand-over.ts";
import type { StepOutcome, StepRun } from "../run/step.ts";
import { triggersWithout } from "../schema/fields.ts";
import { duration, id, text } from "../schema/pieces.ts";
import { durationMs } from "../../system/duration.ts";
import { A_PERSON } from "./platform/action-step.ts";
import { defineStep } from "./step-kind.ts";
import { isTooLong, shownText } from "./written/written-text.ts";
import { example } from "../example.ts";

/** Maximum length of a note in characters. Longer notes are cut. */
const MAX_NOTE_LENGTH = 2_000;
/** Maximum length of `evidence` (values stored with the escalation) in characters of JSON. */
const MAX_EVIDENCE_LENGTH = 20_000;

const pause = z.strictObject({
  per: z
    .enum(PAUSE_PER)
    .default("sender")
    .describe(
      "Scope of the silence: the person (in a group, the whole group), or the whole account.",
    ),
  for: duration
    .optional()
    .describe("Maximum duration of the silence. Resolving the escalation ends it sooner."),
  until: z
    .literal("resolved")
    .optional()
    .describe("Until an operator resolves the escalation: answerback escalations resolve ID."),
});

const handOver = z.strictObject({
  queue: id.describe("Name of the queue; you choose it."),
  priority: z.enum(PRIORITIES).default("normal"),
  note: text.optional().describe("A note for the person who takes over."),
  evidence: z.unknown().optional().describe("Values that are stored with the escalation."),
  pause_bot: pause
    .optional()
    .describe("Rules and bots are silent until then, except rules with interrupts: true."),
});
type Written = z.infer<typeof handOver>;

/** `escalate: {queue, note, pause_bot}` asks a person to take over. */
export const escalate = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: [human, person] } }]
    actions:
      - escalate: { queue: support, priority: high, pause_bot: { for: 12h, until: resolved } }
      - reply_dm: A person takes over from here.
  `,
  shape: { escalate: handOver.describe("Ask a person to take over.") },
  compile({ context, path, keys }) {
    const at = [...path, "escalate"];
    const { queue, priority, note, evidence, pause_bot: written } = keys.escalate;
    const evidenceAt = [...at, "evidence"];
    const limit = { what: "evidence", max: MAX_EVIDENCE_LENGTH };
    if (isTooLong(context, evidenceAt, JSON.stringify(evidence ?? null), limit)) return undefined;
    const said = note === undefined ? undefined : shownText(context, [...at, "note"]);
    const shown =
      evidence === undefined
        ? undefined
        : compileArgument(context, evidenceAt, evidence, shownText);
    const isWhole = (note === undefined || said) && (evidence === undefined || shown);
    const paused = written && compilePause(context, [...at, "pause_bot"], written);
    if (!isWhole || (written !== undefined && paused === undefined)) return undefined;
    const fixed = { queue, priority, ...(paused && { pause: paused }) };
    return { queue, perform: (run) => handedOver(fixed, { note: said, evidence: shown }, run) };
  },
});

function compilePause(
  context: StepContext,
  path: Path,
  { per, for: lasts, until }: NonNullable<Written["pause_bot"]>,
): BotPause | undefined {
  if (lasts === undefined && until === undefined) {
    const message = "this does not say how long the bot is silent";
    const help = "write  pause_bot: {for: 12h, until: resolved}, or one of the two";
    return context.report(path, { code: "pause-without-end", message, help });
  }
  if (per !== "account" && !context.scope.fields.has(A_PERSON.field)) {
    const message = `the bot can't be silent for a person, whom ${triggersWithout(A_PERSON.field, context.scope.triggers)} doesn't always carry`;
    const help = "write  per: account";
    return context.report(path, { code: "action-not-on-trigger", message, help });
  }
  const forMs = lasts === undefined ? {} : { forMs: durationMs(lasts) };
  return { per, untilResolved: until === "resolved", ...forMs };
}

function handedOver(
  fixed: Pick<HandOver, "queue" | "priority" | "pause">,
  shown: { readonly note: TextTemplate | undefined; readonly evidence: Argument | undefined },
  { view }: StepRun,
): StepOutcome {
  const note = shown.note?.render(view);
  if (note?.ok === false) return { kind: "not-ready", message: note.error };
  const evidence = shown.evidence?.(view);
  if (evidence?.ok === false) return { kind: "not-ready", message: evidence.error };
  if (evidence !== undefined && JSON.stringify(evidence.value).length > MAX_EVIDENCE_LENGTH) {
    return {
      kind: "not-ready",
      message: `the evidence is longer than ${MAX_EVIDENCE_LENGTH} characters`,
    };
  }
  return {
    kind: "escalate",
    handOver: {
      ...fixed,
      ...(note !== undefined && { note: shortened(note.value) }),
      ...(evidence !== undefined && { evidence: evidence.value }),
    },
  };
}

/** Cuts a long note, since an escalation with a cut note is better than none. */
function shortened(note: string): string {
  const text = note.trim();
  return text.length <= MAX_NOTE_LENGTH ? text : `${text.slice(0, MAX_NOTE_LENGTH - 1)}…`;
}
