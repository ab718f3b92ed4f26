import * as z from "zod";
import { otherOf } from "../accounts/self.ts";
import { appOf, userOf } from "../auth/caller.ts";
import { jsonInput } from "../kernel/input.ts";
import { compareIds } from "../kernel/ids.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { Refusal } from "../kernel/refusal.ts";
import { messages, pairConversation } from "./entities.ts";
import { renderMessage } from "./render.ts";
import { sendMessage } from "./send.ts";

const auth = ["oauth1", "oauth2"] as const;
const level = "read-write-directmessages" as const;
const DAYS_30_MS = 30 * 24 * 60 * 60_000;

const messageInput = z.looseObject({ text: z.string().min(1) });

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/dm_conversations/with/:participant_id/messages",
    auth,
    level,
    scopes: ["dm.write", "tweet.read", "users.read"],
    limits: { user: 15, userDay: 1_440, appDay: 1_440 },
    handle: (call) => {
      const recipient = otherOf(call, call.params["participant_id"] ?? "", "participant_id");
      const { text } = jsonInput(call, messageInput);
      const app = appOf(call.caller);
      const sent = sendMessage(call.sandbox, userOf(call.caller), recipient, text, app.id);
      return {
        status: 201,
        body: { data: { dm_conversation_id: sent.conversationId, dm_event_id: sent.id } },
      };
    },
  },
  {
    method: "GET",
    path: "/2/dm_conversations/with/:participant_id/dm_events",
    auth,
    level,
    scopes: ["dm.read", "tweet.read", "users.read"],
    limits: { user: 15 },
    handle: list,
  },
];

/** Newest first, back to 30 days; pages by the last id seen. */
function list(call: Call): Answer {
  const user = userOf(call.caller);
  const conversation = pairConversation(user.id, call.params["participant_id"] ?? "");
  const most = pageSize(call.query.get("max_results"));
  const before = call.query.get("pagination_token");
  const since = call.sandbox.time.now() - DAYS_30_MS;
  const found = messages
    .in(call.sandbox.world)
    .where("conversation", conversation)
    .filter(({ at, deletedBy }) => at >= since && deletedBy?.includes(user.id) !== true)
    .filter(({ id }) => before === null || compareIds(id, before) < 0)
    .sort((a, b) => compareIds(b.id, a.id));
  const page = found.slice(0, most);
  const fields = (call.query.get("dm_event.fields") ?? "").split(",");
  const next = found.length > most ? page.at(-1)?.id : undefined;
  const data = page.map((message) => renderMessage(message, fields));
  return {
    body: {
      ...(data.length === 0 ? {} : { data }),
      meta: { result_count: data.length, ...(next === undefined ? {} : { next_token: next }) },
    },
  };
}

function pageSize(given: string | null): number {
  if (given === null) return 100;
  const size = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (size >= 1 && size <= 100) return size;
  throw Refusal.parameter(
    "max_results",
    given,
    `The \`max_results\` query parameter value [${given}] is not between 1 and 100`,
  );
}
