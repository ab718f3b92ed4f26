import { type InferToolInput, type StaticToolCall, tool, type ToolSet } from "ai";
import * as z from "zod";
import { orderOf, refund, ShopError } from "./shop.ts";

const order = z
  .string()
  .regex(/^[A-Z]\d{5}$/)
  .describe("number of the order, such as A10001");

/** Tools of the model. They have no `execute`: the bot runs each call as a step of its own. */
export const TOOLS = {
  order_status: tool({
    description: "Looks up an order of the person who writes.",
    inputSchema: z.object({ order }),
  }),
  refund_order: tool({
    description: "Pays the price of an order back to the person who writes. This can't be undone.",
    inputSchema: z.object({ order, reason: z.string().max(200) }),
  }),
  hand_over: tool({
    description: "Asks a person of the shop to take over the conversation.",
    inputSchema: z.object({ reason: z.string().max(500) }),
  }),
} satisfies ToolSet;

/** A call of the model that fits the schema of its tool. */
export type ShopCall = StaticToolCall<typeof TOOLS>;

/** Result of a call. `unknown` means that the shop may or may not have executed the call. */
export type CallResult =
  | { readonly kind: "done"; readonly value: Readonly<Record<string, string>> }
  | { readonly kind: "refused" | "unknown"; readonly reason: string };

/** Whether a repeated call would pay money twice. */
export function isCharge(call: ShopCall): boolean {
  return call.toolName === "refund_order";
}

/** Highest refund that the bot pays without asking a person, in cents. */
const MAX_REFUND = 5_000;

/** The person who writes, as the platform names them. No text of theirs, or of the model, can change this. */
export interface Caller {
  /** Customer in the shop. Undefined if the shop does not know the person. */
  readonly customer: string | undefined;
  /** Key of the event. It is the same when the handler runs again, so idempotency keys are derived from it. */
  readonly eventKey: string;
}

/** Runs a tool call for the person who writes. Permissions are checked here: a person can persuade the model. */
export async function perform(call: ShopCall, caller: Caller): Promise<CallResult> {
  try {
    switch (call.toolName) {
      case "order_status":
        return await orderStatus(call.input, caller);
      case "refund_order":
        return await refundOrder(call.input, caller);
      case "hand_over":
        return { kind: "done", value: {} };
    }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return { kind: error.mayBeDone ? "unknown" : "refused", reason: error.message };
  }
}

async function orderStatus(
  { order: number }: InferToolInput<typeof TOOLS.order_status>,
  { customer }: Caller,
): Promise<CallResult> {
  const own = await orderOf(customer, number);
  if (own === undefined) return NOT_THEIRS;
  return { kind: "done", value: { order: number, state: own.state, price: euros(own.cents) } };
}

async function refundOrder(
  { order: number, reason }: InferToolInput<typeof TOOLS.refund_order>,
  { customer, eventKey }: Caller,
): Promise<CallResult> {
  const own = await orderOf(customer, number);
  if (own === undefined) return NOT_THEIRS;
  if (own.state === "refunded") return { kind: "refused", reason: "it is refunded already" };
  if (own.cents > MAX_REFUND) {
    return { kind: "refused", reason: `above ${euros(MAX_REFUND)} a person decides: hand over` };
  }
  // A second call for the same order and message has the same idempotency key, so the shop pays once.
  await refund(number, reason, `${eventKey} ${number}`);
  return { kind: "done", value: { order: number, refunded: euros(own.cents) } };
}

/**
 * Refusal for an unknown order and for another customer's order. It is the same for both, so that no one can find out
 * which order numbers exist.
 */
const NOT_THEIRS: CallResult = {
  kind: "refused",
  reason: "the person who writes has no order of this number",
};

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
