import type { Action } from "../actions/actions.ts";
import type { EventOf, Person } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import type { ActionCollector } from "./action-collector.ts";
import { answerTo } from "./answer.ts";
import type { BotContext } from "./define.ts";
import { durableCalls } from "./durable/durable-context.ts";
import type { Recorder } from "./durable/recorder.ts";
import type { Handling } from "./messages.ts";
import { textOf } from "./text-of.ts";

/** The context of one handler call; what it asks for goes to `collector`, and by its place to `recorder`. */
export function contextOf<T extends InboundTrigger>(
  trigger: T,
  event: EventOf<T>,
  handling: Handling,
  { collector, recorder }: { readonly collector: ActionCollector; readonly recorder: Recorder },
): BotContext<T> {
  const sender: Person = "sender" in event ? event.sender : { id: handling.account.id };
  const act = async (call: string, action: Action): Promise<void> => {
    if (collector.signal.aborted) throw asError(collector.signal.reason);
    return recorder.act(call, () => collector.act(action));
  };
  const answer = (text: string, call: string): Action => {
    if (typeof text !== "string" || text === "") {
      throw new TypeError(`${call} takes a text of 1 character or more`);
    }
    const action = answerTo(handling.event, text);
    if (action === undefined) throw new TypeError(`there is nobody to answer on ${trigger}`);
    return action;
  };
  return {
    trigger,
    triggers: handling.triggers,
    event,
    // what people write has a text: the kinds of events under the triggers of a SpokenTrigger
    text: textOf(handling.event) as BotContext<T>["text"],
    sender,
    account: handling.account,
    get now() {
      return recorder.now;
    },
    replayed: handling.replayed,
    answered: handling.answered,
    signal: collector.signal,
    reply: async (text) => act("ctx.reply", answer(text, "ctx.reply")),
    send: async (action) => act("ctx.send", action),
    log(message, fields) {
      // what it logged before is in the log
      if (!recorder.isRepeating) collector.log(message, fields);
    },
    ...durableCalls<T>(handling.event, recorder, (text) => collector.act(answer(text, "ctx.ask"))),
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
