import type { Action } from "../actions/action.ts";
import type { EventOf, Person, InboundTrigger } from "../events/event.ts";
import { answerTo } from "./answer.ts";
import type { BotContext } from "./define.ts";
import type { Handling } from "./messages.ts";
import type { Outlet } from "./outlet.ts";

/** The context of one handler call; what it asks for goes to `outlet`. */
export function contextOf<T extends InboundTrigger>(
  trigger: T,
  event: EventOf<T>,
  handling: Handling,
  outlet: Outlet,
): BotContext<T> {
  const sender: Person = "sender" in event ? event.sender : { id: handling.account.id };
  const act = (action: Action): Promise<void> => {
    if (outlet.signal.aborted) return Promise.reject(asError(outlet.signal.reason));
    try {
      outlet.act(action);
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
    signal: outlet.signal,
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
    log: (message, fields) => outlet.log(message, fields),
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
