import { beforeAll, describe, expect, it } from "vitest";
import type { AccountEvent } from "../../src/events/event.ts";
import { activityDeliveries } from "../../src/events/read/activity-delivery.ts";
import { translate } from "../../src/events/translate.ts";
import { type Wire, wireOf } from "../../src/events/wire.ts";
import { fieldsOf } from "../../src/rules/schema/fields.ts";
import { type Cover, PARTS } from "./payload-fields.ts";
import { deliveredPayloads } from "./payloads.ts";

/** A delivered body (activity interface or account activity webhook), and the event that the bot reads from it. */
interface Arrived {
  readonly name: string;
  readonly body: Wire;
  readonly table: string;
  /** Name of the table in `PARTS` for the object `payload`, which only bodies of the activity interface have. */
  readonly payload?: string;
  readonly event: AccountEvent;
}

let arrivals: readonly Arrived[];
beforeAll(async () => {
  arrivals = (await deliveredPayloads()).map((body) => arrived(body));
});

function arrived(body: object): Arrived {
  const [only = body] = activityDeliveries(body, { usernameOf: () => "hello_bot" }) ?? [];
  const [event] = translate(only, 0).map((one) => one.event);
  const data = wireOf(wireOf(body)?.["data"]);
  if (event === undefined) throw new Error("no event");
  if (data === undefined) {
    return { name: event.kind, body: wireOf(body) ?? {}, table: "delivery", event };
  }
  const type = String(data["event_type"]);
  const [family = ""] = type.split(".");
  const own = ["follow", "block", "mute"].includes(family) ? "relation" : family;
  const payload = `payload of ${type === "post.delete" ? type : own}`;
  return { name: type, body: data, table: "activity", payload, event };
}

/** Returns a body's faults: fields without a mapping, mappings that no rule can read, fields that the event lacks. */
function faultsOf({ name, body, table, payload, event }: Arrived): string[] {
  const fields = fieldsOf(event.kind);
  const faults: string[] = [];
  const check = (value: unknown, cover: Cover | undefined, path: string, as: string): void => {
    if (cover === undefined) return void faults.push(`${path} has no rule field`);
    if (typeof cover === "object" && "because" in cover) return;
    if (typeof cover === "object") {
      const inner = [as, cover.as].filter((one) => one !== undefined && one !== "").join(".");
      const of = cover.of === "payload" && payload !== undefined ? payload : cover.of;
      const prefix = of === "payload of post" ? "post" : inner;
      for (const one of objectsIn(value)) {
        for (const [key, held] of Object.entries(one)) {
          check(held, PARTS[of]?.[key], `${path}.${key}`, prefix);
        }
      }
      return;
    }
    const isWhole = as === "" || /^(?:event|account|conversation)\./.test(cover);
    const field = isWhole ? cover : `${as}.${cover}`;
    const ruleField = fields.get(field);
    if (ruleField === undefined)
      faults.push(`${path} is ${field}, which rules on ${name} can't read`);
    else if (hasContent(value) && isAboutEvent(path) && cover !== "edit_of") {
      if (ruleField.read(event) === undefined)
        faults.push(`${path} is not read: ${field} is absent`);
    }
  };
  check(body, { of: table }, name, "");
  return faults;
}

/** Objects of a value: the value itself, the elements of a list, or the values of a map by id. */
function objectsIn(value: unknown): readonly Wire[] {
  if (Array.isArray(value)) return wiresIn(value);
  const wire = wireOf(value);
  if (wire === undefined) return [];
  const keys = Object.keys(wire);
  const isMap = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  return isMap ? wiresIn(Object.values(wire)) : [wire];
}

function wiresIn(values: readonly unknown[]): readonly Wire[] {
  return values.map(wireOf).filter((wire) => wire !== undefined);
}

/** Whether an included object may concern other people and posts than the event. */
function isAboutEvent(path: string): boolean {
  return !path.includes(".includes.") && !path.includes(".users.");
}

function hasContent(value: unknown): boolean {
  return (
    value !== null &&
    value !== false &&
    value !== "" &&
    !(Array.isArray(value) && value.length === 0)
  );
}

describe("rule fields against the interface's payloads", () => {
  it("cover each field that the sandbox delivers, by both interfaces, or a reason says why not", () => {
    expect([...new Set(arrivals.flatMap(faultsOf))]).toEqual([]);
  });

  it("are compared for every kind of event and both interfaces", () => {
    const kinds = ["message", "typing", "read", "post", "post_deleted", "like", "relation"];
    const byActivity = arrivals.filter(({ table }) => table === "activity");
    const byWebhook = arrivals.filter(({ table }) => table === "delivery");

    expect(new Set(byActivity.map(({ event }) => event.kind))).toEqual(new Set(kinds));
    expect(new Set(byWebhook.map(({ event }) => event.kind))).toEqual(
      new Set([...kinds, "revoked", "replay_finished"]),
    );
  });

  it("are compared for messages to and from a group, by both interfaces", () => {
    const inGroups = arrivals.flatMap(({ table, event }) =>
      event.kind === "message" && event.message.conversationKind === "group"
        ? [`${table}: ${event.direction}`]
        : [],
    );

    expect(inGroups.toSorted()).toEqual([
      "activity: inbound",
      "activity: outbound",
      "delivery: inbound",
      "delivery: outbound",
    ]);
  });

  it.each([
    { why: "a field that no table has", body: { direct_message_events: [{ id: "1", mood: "x" }] } },
    { why: "one deep in a message", body: messageWith({ message_data: { stickers: [] } }) },
  ])("fail for $why", ({ body }) => {
    const [message] = arrivals.filter(({ name }) => name === "message");
    if (message === undefined) throw new Error("no message");

    expect(faultsOf({ ...message, body })).toEqual([
      expect.stringMatching(/\.(?:mood|stickers) has no rule field$/),
    ]);
  });
});

function messageWith(create: object): Wire {
  return { direct_message_events: [{ message_create: create }] };
}
