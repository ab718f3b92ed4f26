import type { TypingEvent } from "../event.ts";
import { SENDER } from "../fields.ts";
import { signalOf } from "../message-signal.ts";
import type { EventKind } from "./event-kind.ts";

export const typing: EventKind<TypingEvent> = {
  wire: {
    keys: ["direct_message_indicate_typing_events"],
    read(element, delivery) {
      const found = signalOf(element, delivery);
      if (found === undefined) return undefined;
      const { signal, occurred } = found;
      return { kind: "typing", ...occurred, key: `typing:${signal}`, triggers: ["dm.typing"] };
    },
  },
  fields: SENDER,
  answeredBy: "message",
  counterpart: ({ sender }) => sender.id,
};
