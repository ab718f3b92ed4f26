import type { Area } from "../server/route.ts";
import { groups, messages as messageTable } from "../model/messages.ts";
import { routes } from "./routes.ts";
import { assumed, stricter } from "../kernel/ledger.ts";

/** Direct messages. */
export const messages: Area = {
  name: "messages",
  tables: [messageTable, groups],
  routes,
  behaviours: [
    {
      behaviour: "a new group has at least two people besides its creator, each counted once",
      ...stricter("The live service's API description says only that two participants are named."),
    },
    {
      behaviour: "message events older than 30 days are not listed",
      ...assumed("As in the live service's look-up of direct messages."),
    },
    {
      behaviour: "deleting a message event removes it only from the deleting person's lists",
      ...assumed("The other participants still see it."),
    },
    {
      behaviour: "every page of message events that is not empty has both page tokens",
      ...assumed("As recorded from the live service; the list ends with an empty page."),
    },
    {
      behaviour: "messages of groups are delivered to every subscribed participant, the sender too",
      ...assumed(
        "By the documentation, all incoming messages are delivered; an older guide excludes groups. `target` also has `dm_conversation_id` and `participant_ids`.",
      ),
    },
    {
      behaviour: "a link to a post in a message's text is returned as a referenced post",
      ...assumed("Any host's `/status/<id>` counts: the sandbox has no web pages of posts."),
    },
  ],
};
