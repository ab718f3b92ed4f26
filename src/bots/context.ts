import { placeOfReply } from "../actions/reply-dm.ts";
import type { Action } from "../actions/actions.ts";
import type { AccountEvent, EventOf, Person } from "../events/event.ts";
import { eventKind } from "../events/kinds/kinds.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import type { ActionCollector } from "./action-collector.ts";
import type { BotContext } from "./define.ts";
import { millisecondsOf } from "./durable/given-duration.ts";
import { durableCalls } from "./durable/durable-context.ts";
import type { Recorder } from "./durable/recorder.ts";
import type { Handling } from "./messages.ts";
import type { BotClient } from "./platform/bot-client.ts";
import { answerIn, type BotText, optionsOf, type SaidInAction, saidIn } from "./said.ts";
import { textOf } from "./text-of.ts";

interface ContextParts {
  readonly collector: ActionCollector;
  readonly recorder: Recorder;
  readonly client: () => BotClient;
}

/** Creates the context of one handler call. `collector` collects its actions; `recorder` records its durable calls. */
export function contextOf<T extends InboundTrigger>(
  trigger: T,
  event: EventOf<T>,
  handling: Handling,
  { collector, recorder, client }: ContextParts,
): BotContext<T> {
  const sender: Person = "sender" in event ? event.sender : { id: handling.account.id };
  const act = async (call: string, action: Action): Promise<void> => {
    if (collector.signal.aborted) throw asError(collector.signal.reason);
    return recorder.act(call, () => collector.act(action));
  };
  const answer = (said: BotText, call: string): Action => {
    const action = answerTo(handling.event, answerIn(said, call));
    if (action === undefined) throw new TypeError(`there is nobody to answer on ${trigger}`);
    return action;
  };
  return {
    trigger,
    triggers: handling.triggers,
    event,
    // an event with a SpokenTrigger always has a text
    text: textOf(handling.event) as BotContext<T>["text"],
    sender,
    account: handling.account,
    get now() {
      return recorder.now;
    },
    replayed: handling.replayed,
    answered: handling.answered,
    signal: collector.signal,
    reply: async (said) => act("ctx.reply", answer(said, "ctx.reply")),
    async post(said) {
      const { id } = handling.account;
      const options = optionsOf(said, "ctx.post");
      const text = saidIn(said, "ctx.post");
      return act("ctx.post", { type: "create_post", to: id, ...text, ...options });
    },
    send: async (action) => act("ctx.send", action),
    async sendNow(action, options) {
      if (collector.signal.aborted) throw asError(collector.signal.reason);
      const ms = outcomeWithin(options?.timeout);
      return recorder.actNow("ctx.sendNow", ms, () => collector.act(action));
    },
    get client() {
      return client();
    },
    handOver: async (note, options) => {
      if (collector.signal.aborted) throw asError(collector.signal.reason);
      return recorder.handOver("ctx.handOver", collector.handOver(note, options));
    },
    log(message, fields) {
      // a handler that runs again has logged this line before
      if (!recorder.isRepeating) collector.log(message, fields);
    },
    ...durableCalls<T>(handling.event, recorder, (said) => collector.act(answer(said, "ctx.ask"))),
  };
}

/** Returns the action that answers an event with `said`; undefined for an event that can't be answered. */
export function answerTo(event: AccountEvent, said: SaidInAction): Action | undefined {
  const { answeredBy } = eventKind(event.kind);
  if (answeredBy === "post" && "post" in event) {
    return { type: "reply_post", inReplyTo: event.post.id, to: event.sender.id, ...said };
  }
  return answeredBy === "message" && "sender" in event && event.direction === "inbound"
    ? { type: "reply_dm", ...placeOfReply(event, event.sender.id), ...said }
    : undefined;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Maximum timeout of `sendNow` in milliseconds. It leaves 10 of the 30 seconds that a handler may run between two
 * waits.
 */
const MAX_OUTCOME_MS = 20_000;
const OUTCOME_WITHIN = "10s";

function outcomeWithin(timeout: string = OUTCOME_WITHIN): number {
  const ms = millisecondsOf(timeout, "the timeout of ctx.sendNow");
  if (ms <= MAX_OUTCOME_MS) return ms;
  throw new TypeError(`the timeout of ctx.sendNow is ${MAX_OUTCOME_MS / 1_000}s at most`);
}
