import type { Path } from "../config/yaml-document.ts";
import type { Trigger } from "../events/event.ts";
import type { Desk } from "./desk.ts";
import type { CompiledTrigger } from "./ruleset.ts";
import type { Step } from "./step.ts";

/** What the account's own action comes back as, when a rule listens to what the account does. */
const ECHOES: Readonly<Partial<Record<Step["verb"], readonly Trigger[]>>> = {
  reply_dm: ["dm.sent", "dm.received"],
  reply_post: ["post.created", "post.replied", "post.mentioned"],
  like: ["post.liked"],
  follow: ["user.followed"],
};

/** Refuses a rule that would wake itself for ever: it listens to what it does, with nothing to slow it. */
export function reportLoops(
  desk: Desk,
  path: Path,
  triggers: readonly CompiledTrigger[],
  actions: readonly Step[],
  hasCooldown: boolean,
): void {
  if (hasCooldown) return;
  const verbs = new Set(verbsOf(actions));
  for (const [index, { trigger, direction }] of triggers.entries()) {
    const verb = [...verbs].find((one) => ECHOES[one]?.includes(trigger) === true);
    if (direction !== "outbound" || verb === undefined) continue;
    desk.report([...path, "triggers", index], {
      code: "reply-loop",
      message: `this rule can trigger itself: ${verb} -> ${trigger} (outbound) -> this rule`,
      help: "drop  direction: outbound, or add  cooldown: {per: conversation, for: 1h}",
    });
  }
}

function verbsOf(steps: readonly Step[]): Step["verb"][] {
  return steps.flatMap((step) => [
    step.verb,
    ...verbsOf(step.onError),
    ...(step.verb === "branch" ? [...verbsOf(step.whenTrue), ...verbsOf(step.whenFalse)] : []),
  ]);
}
