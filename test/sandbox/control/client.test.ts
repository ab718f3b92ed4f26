import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AREAS } from "../../../src/sandbox/areas.ts";
import { ControlClient } from "../../../src/sandbox/control/client.ts";
import { ledgerOf } from "../../../src/sandbox/kernel/area.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/start.ts";

/** A control client that records its requests. */
class NotedClient extends ControlClient {
  readonly calls: string[] = [];

  override call<T>(method: string, path: string, body?: unknown): Promise<T> {
    this.calls.push(`${method} /_sandbox${path.replace(/\?.*/, "")}`);
    return super.call(method, path, body);
  }

  override events(
    ...args: Parameters<ControlClient["events"]>
  ): ReturnType<ControlClient["events"]> {
    this.calls.push("GET /_sandbox/events");
    return super.events(...args);
  }
}

let sandbox: RunningSandbox;
let control: NotedClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  control = new NotedClient(sandbox.control.url, sandbox.control.token);
});
afterAll(() => sandbox.close());

/** Scenarios by the title of their test. Each begins in an empty sandbox. */
const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = {
  async "makes people, who act and are found and changed"() {
    const ana = await control.user("ana", { name: "Ana" });
    const ben = await control.user("ben");
    const post = await control.act(ana, { type: "post", text: "hello" });
    const changed = await control.changeUser(ben, { location: "Bonn", protected: true });

    await control.delayInSearch(post.id, 60_000);

    expect(post.text).toBe("hello");
    expect(changed).toMatchObject({ id: ben, username: "ben", location: "Bonn" });
    expect(await control.users("ana")).toMatchObject([{ id: ana, name: "Ana" }]);
    expect(await control.users("nobody")).toEqual([]);
    const said = await control.act(ana, { type: "post", text: "hello" });
    expect(await control.activities(ana, 1)).toMatchObject([
      { kind: "post", by: ana, ref: said.id, text: "hello" },
    ]);
    await expect(control.answerFollowRequest(ben, ana, true)).rejects.toMatchObject({
      message: expect.stringContaining("has not asked to follow"),
    });
  },

  async "lists what there is, whoever may see it"() {
    const ana = await control.user("ana");
    const ben = await control.user("ben");
    for (const text of ["hello", "hello again"]) await control.act(ana, { type: "post", text });
    await control.act(ana, { type: "dm", to: ben, text: "good morning" });

    expect((await control.objects("posts")).map(({ text, deleted }) => [text, deleted])).toEqual([
      ["hello", false],
      ["hello again", false],
    ]);
    expect(await control.objects("posts", 1)).toHaveLength(1);
    expect(await control.objects("dm_events")).toMatchObject([
      { sender_id: ana, recipient_id: ben, event_type: "MessageCreate" },
    ]);
    expect(await control.objects("media")).toEqual([]);
    expect(await control.objects("polls")).toEqual([]);
    expect(await control.objects("places")).toEqual([]);
    expect(await control.objects("lists")).toEqual([]);
    expect(await control.objects("spaces")).toEqual([]);
    await expect(control.objects("posts", 1_001)).rejects.toThrow("a number from 1 to 1000");
  },

  async "does what the developer portal does"() {
    const ana = await control.user("ana");
    const project = await control.project({ name: "shop", plan: "basic" });
    const created = await control.app({ name: "shop bot", project_id: project });
    const changed = await control.changeApp(created.app_id, { description: "answers" });
    const fresh = await control.changeCredential(created.app_id, {
      kind: "bearer",
      do: "regenerate",
    });
    const tokens = await control.tokens(ana, created.app_id);

    expect(await control.projects()).toContainEqual({
      project_id: project,
      name: "shop",
      plan: "basic",
    });
    expect(changed).toMatchObject({
      name: "shop bot",
      project_id: project,
      description: "answers",
    });
    expect(await control.appSettings(created.app_id)).toMatchObject({
      key_hints: { bearer_token: String(fresh["bearer_token"]).slice(-6) },
    });
    expect((await control.apps()).map(({ app_id: id }) => id)).toContain(created.app_id);
    expect(tokens.access_token).toMatch(/\S/);
    expect(await control.grants(created.app_id)).toMatchObject([{ username: "ana", works: true }]);
    expect(await control.revoke(ana, created.app_id)).toEqual({ revoked: true });
    expect(await control.usage(created.app_id)).toEqual({
      enabled: true,
      posts: { used: 0, cap: 2_000_000, resets_at: expect.any(String) },
      limits: [],
    });
    expect((await control.changeUsage(created.app_id, { used: "all" })).limits).not.toEqual([]);
    expect(await control.subscriptions(created.app_id)).toMatchObject({
      used: 0,
      subscriptions: [],
    });
  },

  async "moves the clock, sets it and has it stand still"() {
    const before = await control.clock();
    const on = await control.advance(3_600_000);
    const still = await control.freezeClock(true);
    const set = await control.setClock("2030-01-31T09:00:00Z");
    await control.freezeClock(false);

    expect(Date.parse(on.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(3_600_000);
    expect(still.frozen).toBe(true);
    expect(set.now).toBe("2030-01-31T09:00:00.000Z");
  },

  async "adds faults, lists and clears them, and knows where webhooks go"() {
    const one = await control.addFault({
      match: { direction: "delivery", event: "follow_events" },
      fault: { type: "delay", ms: 200 },
      when: { every: 2 },
    });
    await control.addFault({ match: { direction: "challenge" }, fault: { type: "drop" } });

    expect(await control.faults()).toMatchObject([
      { id: one, fault: { type: "delay", ms: 200 }, when: { every: 2 }, hits: 0 },
      { when: { next: 1 } },
    ]);
    expect(await control.clearFaults(one)).toBe(1);
    expect(await control.clearFaults()).toBe(1);
    expect(await control.host("bot.example", "http://127.0.0.1:9")).toEqual({
      host: "bot.example",
      target: "http://127.0.0.1:9",
    });
    expect(await control.hosts()).toMatchObject([{ host: "bot.example" }]);
    expect(await control.deliveries()).toEqual([]);
    expect(await control.exchanges()).toEqual([]);
    await expect(control.exchange(1)).rejects.toMatchObject({ status: 404 });
    expect(await control.pendingDeliveries()).toEqual([]);
    expect(await control.liveCost()).toEqual({ enabled: true, requests: expect.any(Array) });
    await expect(control.deliverAgain([1])).rejects.toMatchObject({ code: "not_kept" });
    expect(await control.webhooks()).toEqual([]);
    const app = await control.app();
    await expect(control.registerWebhook(app.app_id, "http://a.example/")).rejects.toThrow(
      "The URL must use https.",
    );
    const unknown = { code: "unknown_webhook" };
    await expect(control.challengeWebhook("none")).rejects.toMatchObject(unknown);
    await expect(control.unsubscribe("none", "1")).rejects.toMatchObject(unknown);
    await expect(control.removeWebhook("none")).rejects.toMatchObject(unknown);
    expect(await control.streams()).toEqual([]);
    expect(await control.strikeStreams({ type: "cut" })).toBe(0);
  },

  async "stands for what advertisers do, and for what has no endpoint"() {
    const ana = await control.user("ana");
    const account = await control.adsAccount(ana, "measured");
    const list = await control.appList(account, "rivals", ["1234"]);
    const seen = await control.engagement({
      account_id: account,
      hashed_device_id: "a1",
      type: "CLICK",
      time: "2030-01-31T09:00:00Z",
      app_store_identifier: "1234",
    });

    expect(seen).toMatch(/\S/);
    expect((await control.ads()).engagements).toMatchObject([{ id: seen, type: "CLICK" }]);
    const conversion = {
      hashed_device_id: "a1",
      app_store_identifier: "1234",
      time: "2030-01-31T10:00:00Z",
      click_window: 1,
      view_through_window: 1,
    };
    expect(await control.weighEngagements(conversion)).toMatchObject([{ id: seen, wins: true }]);
    expect(await control.removeAppList(list)).toEqual({ id: list, deleted: true });
    expect(await control.place({ full_name: "Bonn, Germany" })).toMatch(/\S/);
    const space = await control.space({ creator_id: ana });
    await control.changeSpace(space, { state: "ended" });
    await expect(control.changeEventTag("none", "TRACKING")).rejects.toMatchObject({ status: 404 });
    await expect(control.vote("none", "1", 1)).rejects.toMatchObject({ code: "unknown_poll" });
    await expect(control.changeParticipants("none", { join: [] })).rejects.toMatchObject({
      name: "ControlError",
      code: "unknown_conversation",
    });
  },

  async "follows what happens, from before it listens"() {
    const ending = new AbortController();
    const events = await control.events(ending.signal, 0);
    const first = await events.next();
    ending.abort();

    expect(first.value).toMatchObject({ seq: 1, type: expect.stringMatching(/\S/) });
    expect(await events.return()).toMatchObject({ done: true });
  },

  async "saves the world, restores it, and empties it"() {
    await control.user("ana");
    const world = await control.saveWorld();
    const { world_id: id } = await control.health();
    const emptied = await control.reset("again");

    expect(emptied.seed).toBe("again");
    expect(await control.users()).toEqual([]);
    expect(await control.restoreWorld(world)).toEqual({ world_id: id });
    expect(await control.users("ana")).toHaveLength(1);
    expect((await control.changeSettings({ limits: { scale: 2 } })).limits.scale).toBe(2);
    expect(await control.settings()).toMatchObject({ limits: { scale: 2 } });
    expect((await control.ledger()).length).toBeGreaterThan(100);
  },
};

const played = new Set<string>();

async function playOut(title: string): Promise<void> {
  await sandbox.reset();
  await SCENARIOS[title]?.();
  played.add(title);
}

describe("the sandbox's control client", () => {
  it.each(Object.keys(SCENARIOS))("%s", async (title) => {
    expect.hasAssertions();
    await playOut(title);
  });

  it("has a method for every route of the control interface", async () => {
    for (const title of Object.keys(SCENARIOS)) if (!played.has(title)) await playOut(title);
    const routes = AREAS.flatMap(ledgerOf).flatMap((row) =>
      "path" in row && row.path.startsWith("/_sandbox/") ? [row] : [],
    );
    const missing = routes.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}$`);
      return !control.calls.some((one) => pattern.test(one));
    });

    expect(routes.length).toBeGreaterThan(30);
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
