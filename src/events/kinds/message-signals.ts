import type { ReadEvent, TypingEvent } from "../event.ts";
import { SENDER, text } from "../fields.ts";
import { signalOf } from "../message-signal.ts";
import { textAt } from "../wire.ts";
import type { EventKind } from "./event-kind.ts";

export const typing: EventKind<TypingEvent> = {
  wire: {
    keys: ["direct_message_indicate_typing_events"],
    read(element, delivery) {
      const messageSignal = signalOf(element, delivery);
      if (messageSignal === undefined) return undefined;
      const { signal, occurred } = messageSignal;
      return { kind: "typing", ...occurred, key: `typing:${signal}`, triggers: ["dm.typing"] };
    },
  },
  fields: SENDER,
  answeredBy: "message",
  counterpart: ({ sender }) => sender.id,
};

export const read: EventKind<ReadEvent> = {
  wire: {
    keys: ["direct_message_mark_read_events"],
    read(element, delivery) {
      const messageSignal = signalOf(element, delivery);
      if (messageSignal === undefined) return undefined;
      const { signal, occurred } = messageSignal;
      const lastReadId = textAt(element, "last_read_event_id") ?? "";
      const key = `read:${signal}:${lastReadId}`;
      return { kind: "read", ...occurred, key, triggers: ["dm.read"], lastReadId };
    },
  },
  fields: { ...SENDER, "read.last_message_id": text((event) => event.lastReadId) },
  answeredBy: "message",
  counterpart: ({ sender }) => sender.id,
};
