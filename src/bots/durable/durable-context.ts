import type { Action } from "../../actions/actions.ts";
import type { AccountEvent, EventOf } from "../../events/event.ts";
import { eventKind } from "../../events/kinds/kinds.ts";
import { INBOUND_TRIGGERS, type InboundTrigger } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { AnswerEvent, DurableCalls, WaitOptions } from "./durable-calls.ts";
import type { BotText } from "../said.ts";
import { textOf } from "../text-of.ts";
import { millisecondsOf } from "./given-duration.ts";
import { plainValue } from "./plain-value.ts";
import type { Recorder } from "./recorder.ts";
import { stateOf } from "./state-calls.ts";

const MAX_WHERE_CHARACTERS = 10_000;

/**
 * Creates the durable calls of a handler's context. Their arguments are checked, because bot modules may be untyped.
 *
 * @param question Creates the action that asks a question.
 */
export function durableCalls<T extends InboundTrigger>(
  event: AccountEvent,
  recorder: Recorder,
  question: (said: BotText) => Action,
): DurableCalls<T> {
  let typed = 0;
  return {
    async step(name, fn, { atMostOnce = false } = {}) {
      if (typeof fn !== "function") throw new TypeError("ctx.step takes a name and a function");
      return recorder.step(name, fn, atMostOnce);
    },
    async sleep(name, duration) {
      recorder.mustBeBesideSteps("ctx.sleep");
      await recorder.wait({ kind: "sleep", name, ms: millisecondsOf(duration, "ctx.sleep") });
    },
    async typing(duration = "2s") {
      recorder.mustBeBesideSteps("ctx.typing");
      typed += 1;
      const ms = millisecondsOf(duration, "ctx.typing");
      await recorder.wait({ kind: "sleep", name: `ctx.typing ${typed}`, ms });
    },
    async ask(name, said, options) {
      recorder.mustBeBesideSteps("ctx.ask");
      const limits = waitingFor(options, "ctx.ask");
      const trigger = answeredUnder(event);
      const came = await recorder.wait({ kind: "ask", name, trigger, ...limits }, question(said));
      // the event matched the awaited trigger, so it is an AnswerEvent
      return came && ({ ...came, text: textOf(came) ?? "" } as AnswerEvent<T>);
    },
    async waitFor(name, trigger, options) {
      recorder.mustBeBesideSteps("ctx.waitFor");
      if (!INBOUND_TRIGGERS.includes(trigger)) {
        throw new TypeError(
          `ctx.waitFor can't wait for ${JSON.stringify(trigger)}; write one of: ${INBOUND_TRIGGERS.join(", ")}`,
        );
      }
      const limits = waitingFor(options, "ctx.waitFor");
      const came = await recorder.wait({ kind: "wait", name, trigger, ...limits });
      return came as EventOf<typeof trigger> | undefined;
    },
    state: {
      ...stateOf("sender", recorder),
      conversation: stateOf("conversation", recorder),
      account: stateOf("account", recorder),
    },
  };
}

function answeredUnder({ kind }: AccountEvent): "post.replied" | "dm.received" {
  return eventKind(kind).answeredBy === "post" ? "post.replied" : "dm.received";
}

function waitingFor(
  options: WaitOptions | undefined,
  call: string,
): { readonly ms: number; readonly where?: Json } {
  const ms = millisecondsOf(options?.timeout, `the timeout of ${call}`);
  const where = plainValue(options?.where, `the where of ${call}`, MAX_WHERE_CHARACTERS);
  if (where === undefined) return { ms };
  const isCondition = (one: Json): boolean =>
    typeof one === "string" || (typeof one === "object" && one !== null && !Array.isArray(one));
  if (
    Array.isArray(where) ? where.length === 0 || !where.every(isCondition) : !isCondition(where)
  ) {
    throw new TypeError(
      `the where of ${call} is a condition as rules have it: { "message.text": { contains: "yes" } }`,
    );
  }
  return { ms, where };
}
