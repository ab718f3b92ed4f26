import * as z from "zod";
import {
  type Conversation,
  conversationIn,
} from "../../../insight/traces/conversations/conversation.ts";
import {
  type ConversationsPage,
  conversations as conversationsOf,
} from "../../../insight/traces/conversations/conversations.ts";
import { CONVERSATION_STATES } from "../../../insight/traces/conversations/conversation-states.ts";
import { operation, showUsageErrors } from "../operation.ts";
import { runtimeOf } from "../runtime-operations.ts";
import { traceNeeds } from "./trace.ts";

/** Returns a page of conversations, each with the outcome of its last message. */
export const conversations = operation(
  z.strictObject({
    before: z.int().exactOptional(),
    limit: z.int().min(1).max(100).exactOptional(),
    states: z.array(z.enum(CONVERSATION_STATES)).exactOptional(),
    late: z.boolean().exactOptional(),
    text: z.string().max(200).exactOptional(),
  }),
  async (needs, query): Promise<ConversationsPage> =>
    conversationsOf(await traceNeeds(runtimeOf(needs)), query),
);

/** Returns the latest turns (message and answers) of a conversation, or those before the journal number `before`. */
export const conversation = operation(
  z.strictObject({ lane: z.string().min(1), before: z.int().exactOptional() }),
  async (needs, { lane, before }): Promise<Conversation> =>
    showUsageErrors(conversationIn(await traceNeeds(runtimeOf(needs)), lane, before)),
);
