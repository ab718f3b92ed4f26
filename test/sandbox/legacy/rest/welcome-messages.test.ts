import { stringify } from "lossless-json";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  alice = fixture.person;
});
afterEach(() => fixture.close());

const BASE = "/1.1/direct_messages/welcome_messages";

async function created(text: string, name?: string): Promise<string> {
  const welcome_message = { ...(name && { name }), message_data: { text } };
  const { body } = await fixture.asUser(alice, "POST", `${BASE}/new.json`, { welcome_message });
  return String(Object(body["welcome_message"]).id);
}

describe("a welcome message", () => {
  it("is created, shown, changed, listed and deleted", async () => {
    const id = await created("hello #you", "first");
    const path = `${BASE}/show.json?id=${id}`;
    const { body } = await fixture.asUser(alice, "GET", path);
    expect(body).toMatchObject({
      welcome_message: {
        id,
        name: "first",
        source_app_id: fixture.app.app_id,
        message_data: { text: "hello #you", entities: { hashtags: [{ text: "you" }] } },
      },
      apps: { [fixture.app.app_id]: { id: fixture.app.app_id } },
    });

    const change = { message_data: { text: "good day" } };
    await fixture.asUser(alice, "PUT", `${BASE}/update.json?id=${id}`, change);
    const second = await created("another");
    const list = await fixture.asUser(alice, "GET", `${BASE}/list.json?count=1`);
    expect(list.body["welcome_messages"]).toMatchObject([{ id: second }]);
    const next = `${BASE}/list.json?count=1&cursor=${String(list.body["next_cursor"])}`;
    const older = await fixture.asUser(alice, "GET", next);
    expect(older.body["welcome_messages"]).toMatchObject([{ message_data: { text: "good day" } }]);

    expect((await fixture.asUser(alice, "DELETE", `${BASE}/destroy.json?id=${id}`)).status).toBe(
      204,
    );
    expect((await fixture.asUser(alice, "GET", path)).status).toBe(404);
  });

  it("is of its owner alone, and needs a text that is not too long", async () => {
    const id = await created("hello");
    const other = await fixture.asBot("GET", `${BASE}/show.json?id=${id}`);
    expect(other).toMatchObject({ status: 404, body: { errors: [{ code: 34 }] } });
    const welcome_message = { message_data: { text: "x".repeat(10_001) } };
    const long = await fixture.asBot("POST", `${BASE}/new.json`, { welcome_message });
    expect(long).toMatchObject({ status: 400, body: { errors: [{ code: 214 }] } });
    const media = { type: "media", media: { id: "17" } };
    const attached = { welcome_message: { message_data: { text: "x", attachment: media } } };
    const unknown = await fixture.asBot("POST", `${BASE}/new.json`, attached);
    expect(unknown.body).toMatchObject({ errors: [{ code: 324 }] });
  });
});

describe("the rule of a welcome message", () => {
  it("is created, shown, listed, and deleted, also with its message", async () => {
    const id = await created("hello");
    expect((await fixture.asUser(alice, "GET", `${BASE}/rules/list.json`)).body).toEqual({});
    const rule = { welcome_message_rule: { welcome_message_id: id } };
    const { body } = await fixture.asUser(alice, "POST", `${BASE}/rules/new.json`, rule);
    const ruleId = String(Object(body["welcome_message_rule"]).id);
    const list = await fixture.asUser(alice, "GET", `${BASE}/rules/list.json`);
    expect(list.body["welcome_message_rules"]).toMatchObject([
      { id: ruleId, welcome_message_id: id },
    ]);
    const path = `${BASE}/rules/show.json?id=${ruleId}`;
    expect((await fixture.asUser(alice, "GET", path)).body).toEqual(body);
    expect((await fixture.asBot("GET", path)).status).toBe(404);

    await fixture.asUser(alice, "DELETE", `${BASE}/rules/destroy.json?id=${ruleId}`);
    expect((await fixture.asUser(alice, "GET", path)).status).toBe(404);
    const again = await fixture.asUser(alice, "POST", `${BASE}/rules/new.json`, rule);
    expect(again.status, stringify(again.body)).toBe(200);
    await fixture.asUser(alice, "DELETE", `${BASE}/destroy.json?id=${id}`);
    expect((await fixture.asUser(alice, "GET", `${BASE}/rules/list.json`)).body).toEqual({});
  });
});
