import * as z from "zod";
import { actionSchema } from "../../actions/actions.ts";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { AskedFor, StateName } from "./record.ts";

const json: z.ZodType<Json> = z.json();
const settled = z.int().positive();
const name = z.string().max(200);
const owner = z.enum(["sender", "conversation", "account"]);
const wait = { name, ms: z.number().nonnegative() };
const listens = { ...wait, trigger: z.enum(INBOUND_TRIGGERS), where: json.exactOptional() };

const askedFor: z.ZodType<AskedFor> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("act"), name, settled: settled.exactOptional() }),
  z.object({ kind: z.literal("set"), name }),
  z.object({ kind: z.literal("get"), name, settled, value: json.exactOptional() }),
  z.object({
    kind: z.literal("step"),
    name,
    settled: settled.exactOptional(),
    value: json.exactOptional(),
    error: z.object({ name: z.string(), message: z.string() }).exactOptional(),
  }),
  z.object({ kind: z.literal("sleep"), ...wait }),
  z.object({ kind: z.literal("ask"), ...listens }),
  z.object({ kind: z.literal("wait"), ...listens }),
]);

/** The schema of a name of user state, as a thread gives it. */
export const stateName: z.ZodType<StateName> = z.object({ of: owner, name });

/** The shape of what a thread tells of a handler's progress. */
export const progressShape = {
  entries: z.array(z.object({ place: z.int().min(0).max(999), entry: askedFor })).max(1_000),
  actions: z.array(actionSchema).max(100),
  changes: z
    .array(
      z.object({
        of: owner,
        name,
        value: json.exactOptional(),
        forMs: z.number().positive().exactOptional(),
        version: z.int().min(0).exactOptional(),
      }),
    )
    .max(1_000),
};
