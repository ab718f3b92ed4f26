import type { Action } from "../actions/actions.ts";
import type { EventOf, Person } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import { answerTo } from "./answer.ts";
import type { BotContext } from "./define.ts";
import type { Handling } from "./messages.ts";
import type { ActionCollector } from "./action-collector.ts";

/** The context of one handler call; what it asks for goes to `collector`. */
export function contextOf<T extends InboundTrigger>(
  trigger: T,
  event: EventOf<T>,
  handling: Handling,
  collector: ActionCollector,
): BotContext<T> {
  const sender: Person = "sender" in event ? event.sender : { id: handling.account.id };
  const act = (action: Action): Promise<void> => {
    if (collector.signal.aborted) return Promise.reject(asError(collector.signal.reason));
    try {
      collector.act(action);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(asError(error));
    }
  };
  return {
    trigger,
    event,
    sender,
    account: handling.account,
    now: handling.now,
    replayed: handling.replayed,
    answered: handling.answered,
    signal: collector.signal,
    reply(text) {
      if (typeof text !== "string" || text === "") {
        return Promise.reject(new TypeError("ctx.reply takes a text of 1 character or more"));
      }
      const action = answerTo(handling.event, text);
      return action === undefined
        ? Promise.reject(new TypeError(`there is nobody to answer on ${trigger}`))
        : act(action);
    },
    send: act,
    log: (message, fields) => collector.log(message, fields),
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
