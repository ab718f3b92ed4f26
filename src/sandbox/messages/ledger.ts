import { assumed, type BehaviourRow, documented } from "../kernel/ledger.ts";

/** Endpoints that the interface names. */
export const NAMED = documented(
  "Direct message endpoints",
  "Payloads follow the live service's description.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "message events older than 30 days are not listed",
    ...assumed("As the live service's direct message lookup."),
  },
  {
    behaviour: "deleting a message event takes it out of the deleter's lists only",
    ...assumed("The other participants keep it."),
  },
  {
    behaviour: "every page of message events with something on it has both page tokens",
    ...assumed("As recorded of the live service; the list ends with an empty page."),
  },
  {
    behaviour: "messages of groups are delivered to every subscribed participant, the sender too",
    ...assumed(
      "The interface delivers all incoming messages. A guide of an earlier service leaves groups out. `target` also has `dm_conversation_id` and `participant_ids`.",
    ),
  },
  {
    behaviour: "a link to a post in a message's text is returned as a referenced post",
    ...assumed("Any host's `/status/<id>` counts, since the sandbox has no web pages of posts."),
  },
];
