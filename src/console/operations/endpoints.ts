import * as z from "zod";
import { ControlClient } from "../../sandbox/control/client.ts";
import type { LedgerRow } from "../../sandbox/control/objects.ts";
import { operation, OperationError } from "./operation.ts";

/** An endpoint of the platform, with an example body if it accepts a body. */
export type CallableEndpoint = Extract<LedgerRow, { readonly path: string }> & {
  readonly example?: string;
};

/** Example request bodies by endpoint. The user of the page replaces the ids. */
const EXAMPLES: Readonly<Record<string, object>> = {
  "POST /2/posts": { text: "hello" },
  "PUT /2/posts/:id/hidden": { hidden: true },
  "POST /2/dm_conversations": {
    conversation_type: "Group",
    participant_ids: ["ID", "ID"],
    message: { text: "hello" },
  },
  "POST /2/dm_conversations/:dm_conversation_id/messages": { text: "hello" },
  "POST /2/dm_conversations/with/:participant_id/messages": { text: "hello" },
  "POST /2/users/:id/likes": { post_id: "ID" },
  "POST /2/users/:id/reposts": { post_id: "ID" },
  "POST /2/users/:id/bookmarks": { post_id: "ID" },
  "POST /2/users/:id/following": { target_user_id: "ID" },
  "POST /2/users/:id/muting": { target_user_id: "ID" },
  "POST /2/users/:id/blocking": { target_user_id: "ID" },
  "POST /2/lists": { name: "regulars", description: "", private: false },
  "POST /2/lists/:id/members": { user_id: "ID" },
  "POST /2/webhooks": { url: "https://bot.example/webhook" },
  "POST /2/posts/search/stream/rules": { add: [{ value: "coffee", tag: "drinks" }] },
  "POST /2/media/upload": { media: "BASE64", media_category: "tweet_image" },
  "POST /2/media/metadata": { id: "ID", metadata: { alt_text: { text: "what it shows" } } },
};

const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** Lists the platform's endpoints, version 2 first. */
export const endpoints = operation(
  z.strictObject({}),
  async ({ sandbox }): Promise<readonly CallableEndpoint[]> => {
    if (sandbox === undefined) throw new OperationError("there is no sandbox here", 404);
    const { url, token } = sandbox.control;
    const ledger = await new ControlClient(url, token).ledger();
    return ledger
      .flatMap((row): readonly CallableEndpoint[] => {
        if (!("path" in row) || row.path.startsWith("/_sandbox")) return [];
        const example = EXAMPLES[`${row.method} ${row.path}`];
        return [{ ...row, ...(example && { example: JSON.stringify(example, null, 2) }) }];
      })
      .sort(
        (one, other) =>
          Number(other.path.startsWith("/2/")) - Number(one.path.startsWith("/2/")) ||
          one.path.localeCompare(other.path) ||
          METHODS.indexOf(one.method) - METHODS.indexOf(other.method),
      );
  },
);
