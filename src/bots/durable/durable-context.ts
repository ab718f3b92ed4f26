import type { Action } from "../../actions/actions.ts";
import type { AccountEvent, EventOf } from "../../events/event.ts";
import { eventKind } from "../../events/kinds/kinds.ts";
import { INBOUND_TRIGGERS, type InboundTrigger } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import { DURATION, durationMs } from "../../system/duration.ts";
import type { Answer, BotState, DurableCalls, WaitOptions } from "./durable-calls.ts";
import { textOf } from "../text-of.ts";
import { plainValue } from "./plain-value.ts";
import type { Recorder } from "./recorder.ts";
import type { StateName } from "./record.ts";

/** Who waits for longer waits for good. */
const MOST_MS = 366 * 86_400_000;
/** As for `set` of rules: state is read with each event that asks for it. */
const MOST_STATE_CHARACTERS = 16_384;
const MOST_WHERE_CHARACTERS = 10_000;
const STATE_NAME = /^[A-Za-z_]\w{0,63}$/;

/**
 * What of a handler's context outlives its process. Bot modules are not all type-checked, so what they give
 * is checked here.
 *
 * @param question The action with which a text is asked.
 */
export function durableCalls<T extends InboundTrigger>(
  event: AccountEvent,
  recorder: Recorder,
  question: (text: string) => Action,
): DurableCalls<T> {
  return {
    async step(name, fn) {
      if (typeof fn !== "function") throw new TypeError("ctx.step takes a name and a function");
      return recorder.step(name, fn);
    },
    async sleep(name, duration) {
      await recorder.wait({ kind: "sleep", name, ms: millisecondsOf(duration, "ctx.sleep") });
    },
    async ask(name, text, options) {
      const limits = waitingFor(options, "ctx.ask");
      const trigger = answeredUnder(event);
      const came = await recorder.wait({ kind: "ask", name, trigger, ...limits }, question(text));
      // only an event with this trigger is taken
      return came && ({ ...came, text: textOf(came) ?? "" } as Answer<T>);
    },
    async waitFor(name, trigger, options) {
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
  const where = plainValue(options?.where, `the where of ${call}`, MOST_WHERE_CHARACTERS);
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

function millisecondsOf(duration: unknown, what: string): number {
  const ms =
    typeof duration === "string" && DURATION.test(duration) ? durationMs(duration) : undefined;
  if (ms !== undefined && ms <= MOST_MS) return ms;
  throw new TypeError(
    `${what} is a duration such as "15m", of 366d at most, got ${JSON.stringify(duration) ?? "none"}`,
  );
}

function stateOf(of: StateName["of"], recorder: Recorder): BotState {
  const named = (name: unknown): StateName => {
    if (typeof name === "string" && STATE_NAME.test(name)) return { of, name };
    throw new TypeError(
      `a name of state is 1 to 64 letters, digits and "_", and begins with none of the digits, got ${JSON.stringify(name)}`,
    );
  };
  return {
    get: async (name) => recorder.get(named(name)),
    async set(name, given, options) {
      const use = named(name);
      const value = plainValue(given, `the value of "${name}"`, MOST_STATE_CHARACTERS);
      if (value === undefined || value === null) {
        throw new TypeError(`there is no value for "${name}": take it away with ctx.state.delete`);
      }
      const forMs = options?.for === undefined ? undefined : millisecondsOf(options.for, "for");
      return recorder.set({ ...use, value, ...(forMs !== undefined && { forMs }) });
    },
    delete: async (name) => recorder.set(named(name)),
  };
}
