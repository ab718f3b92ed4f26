import { CONVERSATION_SCOPES } from "../events/conversation.ts";
import * as z from "zod";
import { INBOUND_TRIGGERS } from "../events/triggers.ts";
import type { Json } from "../protocol/json.ts";
import { progressShape, stateName } from "./durable/read-progress.ts";
import type { FromThread } from "./messages.ts";
import { platformRequest } from "./platform-request.ts";

const token = z.string();
const error = z.string();
const json: z.ZodType<Json> = z.json();

const fromThread: z.ZodType<FromThread> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("loading"),
    file: z.string(),
    systemId: z.int().positive().exactOptional(),
  }),
  z.object({
    type: z.literal("loaded"),
    bots: z.array(
      z.object({
        name: z.string().regex(/^[\w-]{1,64}$/),
        file: z.string(),
        triggers: z.array(z.enum(INBOUND_TRIGGERS)),
        maxAgeMs: z.union([z.number().positive(), z.literal("none")]).exactOptional(),
        scope: z.enum(CONVERSATION_SCOPES).exactOptional(),
      }),
    ),
    faults: z.array(z.object({ file: z.string(), message: z.string() })),
    modules: z
      .array(
        z.object({
          file: z.string(),
          functions: z.array(z.string()),
          others: z.array(z.string()),
        }),
      )
      .exactOptional(),
    systemId: z.int().positive().exactOptional(),
  }),
  z.object({ type: z.enum(["importing", "imported"]), file: z.string() }),
  z.object({
    type: z.literal("handled"),
    token,
    outcome: z.object({
      actions: progressShape.actions,
      entries: progressShape.entries.exactOptional(),
      changes: progressShape.changes.exactOptional(),
      handOvers: progressShape.handOvers,
      waits: z.literal(true).exactOptional(),
      error: error.exactOptional(),
    }),
  }),
  z.object({
    type: z.literal("progress"),
    token,
    call: z.int(),
    progress: z.object(progressShape),
  }),
  z.object({ type: z.literal("read"), token, call: z.int(), name: stateName }),
  z.object({
    type: z.literal("outcome"),
    token,
    call: z.int(),
    place: z.int().min(0),
    ms: z.number().nonnegative(),
  }),
  z.object({ type: z.literal("ask"), token, call: z.int(), request: platformRequest }),
  z.object({ type: z.literal("again"), token }),
  z.object({ type: z.literal("abandon"), token, call: z.int() }),
  z.object({
    type: z.literal("called"),
    token,
    outcome: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), value: json }),
      z.object({ ok: z.literal(false), error, place: z.string().exactOptional() }),
    ]),
  }),
  z.object({
    type: z.literal("log"),
    level: z.enum(["debug", "info", "warn", "error"]),
    bot: z.string().exactOptional(),
    key: z.string().exactOptional(),
    message: z.string(),
    fields: z.record(z.string(), z.unknown()).exactOptional(),
  }),
  z.object({
    type: z.literal("fault"),
    bot: z.string().exactOptional(),
    key: z.string().exactOptional(),
    message: z.string(),
    place: z.string().exactOptional(),
  }),
  z.object({ type: z.literal("pong"), bytes: z.number() }),
]);

/**
 * Parses a message from a thread; undefined if it matches no schema. A thread runs code of bot authors, so its messages
 * are validated like any other external input.
 */
export function readMessage(rawMessage: unknown): FromThread | undefined {
  try {
    return fromThread.safeParse(rawMessage).data;
  } catch (error) {
    // a value that is nested too deeply overflows the stack
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
