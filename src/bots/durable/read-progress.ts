import * as z from "zod";
import { actionSchema } from "../../actions/actions.ts";
import { clientFault } from "../../client/fault.ts";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { AskedFor, AskedHandOver, StateName, ThrownError } from "./record.ts";
import { sendOutcome } from "./send-outcome.ts";

const json: z.ZodType<Json> = z.json();
const settled = z.int().positive();
const inStep = { in: z.int().min(0).max(999).exactOptional() };
const name = z.string().max(200);
const owner = z.enum(["sender", "conversation", "account"]);
const wait = { name, ms: z.number().nonnegative() };
const listens = { ...wait, trigger: z.enum(INBOUND_TRIGGERS), where: json.exactOptional() };

const thrownError: z.ZodType<ThrownError> = z.object({
  name: z.string(),
  message: z.string(),
  type: z.string().exactOptional(),
  fields: z.record(z.string(), json).exactOptional(),
  get cause() {
    return thrownError.exactOptional();
  },
  value: json.exactOptional(),
  fault: clientFault.exactOptional(),
  get errors() {
    return z.array(thrownError).exactOptional();
  },
});

const stepEnd = { value: json.exactOptional(), error: thrownError.exactOptional() };

const handOver: z.ZodType<AskedHandOver> = z.object({
  queue: z.string(),
  priority: z.enum(["low", "normal", "high", "urgent"]),
  note: z.string().exactOptional(),
  evidence: json.exactOptional(),
  pause: z
    .object({
      per: z.enum(["sender", "account"]),
      forMs: z.number().positive().exactOptional(),
      untilResolved: z.boolean(),
    })
    .exactOptional(),
});

const askedFor: z.ZodType<AskedFor> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("act"),
    name,
    ...inStep,
    settled: settled.exactOptional(),
    now: z.literal(true).exactOptional(),
    outcome: sendOutcome.exactOptional(),
  }),
  z.object({ kind: z.literal("look"), name, settled, ...stepEnd }),
  z.object({ kind: z.literal("handOver"), name, ...inStep }),
  z.object({ kind: z.literal("set"), name, ...inStep }),
  z.object({ kind: z.literal("get"), name, settled, value: json.exactOptional() }),
  z.object({
    kind: z.literal("step"),
    name,
    ...inStep,
    callsMarked: z.literal(true).exactOptional(),
    settled: settled.exactOptional(),
    begun: z.literal(true).exactOptional(),
    ...stepEnd,
  }),
  z.object({ kind: z.literal("sleep"), ...wait }),
  z.object({ kind: z.literal("ask"), ...listens }),
  z.object({ kind: z.literal("wait"), ...listens }),
]);

/** Schema for the name of a stored value, in messages from threads. */
export const stateName: z.ZodType<StateName> = z.object({ of: owner, name });

/** Schemas for the fields with a handler's progress, in messages from threads. */
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
  handOvers: z.array(handOver).max(100).exactOptional(),
};
