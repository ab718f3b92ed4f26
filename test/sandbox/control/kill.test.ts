import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compareIds } from "../../../src/sandbox/kernel/world/ids.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { signed, send } from "../support/test-sandbox.ts";
import { when } from "../../support/when.ts";
import { killAll, startKillable } from "./killed-sandbox.ts";

let state: string;
let receiver: Receiver;
beforeEach(async () => {
  state = join(await mkdtemp(join(tmpdir(), "sandbox-")), "world.jsonl");
  receiver = await startReceiver();
});
afterEach(async () => {
  killAll();
  await receiver.close();
  await rm(dirname(state), { recursive: true, force: true });
});

interface State {
  readonly world_id: string;
  readonly tables: Record<string, Record<string, unknown>[]>;
}

it("after kill -9 a stored world has every acknowledged change, and no id is used again", async () => {
  const ids: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const killed = await startKillable(state);
    const { control } = killed;
    const people = await Promise.all(["a", "b"].map((who) => control.user(`${who}_${round}`)));
    const [a = "", b = ""] = people;
    ids.push(...people);
    const talk = async (): Promise<void> => {
      // The loop ends when the killed sandbox no longer responds, which throws an error.
      for (;;) {
        const { id } = await control.act(a, { type: "dm", to: b, text: "hello" });
        ids.push(id);
      }
    };
    const talking = Promise.allSettled([talk(), talk(), talk()]);
    await when(() => (ids.length >= (round + 1) * 100 ? true : undefined));
    await killed.kill();
    await talking;
  }
  const { control } = await startKillable(state);
  const { tables } = await control.get<State>("/state");
  const storedIds = new Set([...(tables["users"] ?? []), ...(tables["messages"] ?? [])].map(idOf));
  const last = await control.user("last");

  expect(ids.filter((id) => !storedIds.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => compareIds(last, id) > 0)).toBe(true);
});

function idOf(row: Record<string, unknown>): string {
  return String(row["id"]);
}

it("after kill -9 the token, the clock, settings and faults are unchanged", async () => {
  const first = await startKillable(state);
  const { world_id } = await first.control.get<State>("/health");
  await first.control.call("PATCH", "/settings", { delays: { delivery_ms: 70 } });
  await first.control.post("/faults", {
    match: { direction: "request", path: "/2/webhooks" },
    fault: { type: "status" },
    when: { every: 2 },
  });
  const app = await first.control.app();
  const ask = (url: string): Promise<number> =>
    send("GET", `${url}/2/webhooks`, `Bearer ${app.bearer_token}`).then(({ status }) => status);
  expect(await ask(first.url)).toBe(200);
  await first.control.post("/clock", { set: "2031-01-01T00:00:00.000Z" });
  await first.control.post("/clock", { set: "2030-01-01T00:00:00.000Z" });
  await first.control.post("/clock", { frozen: true });
  const { now } = await first.control.advance(60_000);
  await first.kill();

  const next = await startKillable(state);

  expect(next.control.token).toBe(first.control.token);
  expect((await stat(`${state}.token`)).mode & 0o777).toBe(0o600);
  expect(await next.control.get("/health")).toMatchObject({ world_id });
  expect(await next.control.get("/clock")).toMatchObject({
    now,
    frozen: true,
    set_backs: [{ n: 1, to: "2030-01-01T00:00:00.000Z" }],
  });
  expect(await next.control.get("/settings")).toMatchObject({ delays: { delivery_ms: 70 } });
  expect([await ask(next.url), await ask(next.url)]).toEqual([503, 200]);
});

it("after kill -9 pending deliveries are sent in order, and a replay continues", async () => {
  const first = await startKillable(state);
  const { bot, person, app, webhook } = await linked(first);
  await first.control.act(person, { type: "dm", to: bot, text: "long ago" });
  await first.control.advance(40 * 60_000);
  expect(receiver.texts()).toEqual(["long ago"]);
  receiver.isUp = false;
  await first.control.call("PATCH", "/settings", { retries_ms: [3_600_000] });
  for (const text of ["one", "two", "three"]) {
    await first.control.act(person, { type: "dm", to: bot, text });
  }
  await when(() => (receiver.refused > 0 ? true : undefined));
  await first.control.advance(0);
  const { now } = await first.control.get<{ now: string }>("/clock");
  const minutesAgo = (minutes: number): string =>
    new Date(Date.parse(now) - minutes * 60_000).toISOString().replace(/[-T:]/g, "").slice(0, 12);
  await first.control.call("PATCH", "/settings", { delays: { replay_least_ms: 60_000 } });
  const job = await send("POST", `${first.url}/2/webhooks/replay`, `Bearer ${app.bearer_token}`, {
    webhook_id: webhook,
    from_date: minutesAgo(60),
    to_date: minutesAgo(20),
  });
  expect(job.status).toBe(200);
  await first.kill();
  receiver.isUp = true;

  const next = await startKillable(state);
  await next.control.call("PATCH", "/settings", { delays: { replay_least_ms: 0 } });
  await next.control.advance(3_600_000);

  const texts = receiver.texts().slice(1);
  expect(texts.filter((text) => text !== "long ago")).toEqual(["one", "two", "three"]);
  expect(texts).toContain("long ago");
  const { job_id } = job.body["data"] as { job_id: string };
  await when(() =>
    receiver.bodies.find((body) => JSON.stringify(body).includes(`"job_id":"${job_id}"`)),
  );
});

it("after kill -9 a reset or restored world keeps its new state", async () => {
  const first = await startKillable(state);
  await first.control.user("before");
  const saved = await first.control.get<State>("/state");
  await first.control.post("/reset");
  const { world_id } = await first.control.get<State>("/health");
  await first.control.user("after");
  await first.kill();

  const second = await startKillable(state);
  expect(await second.control.get("/health")).toMatchObject({ world_id });
  expect(await names(second)).toEqual(["after"]);
  await second.control.call("PUT", "/state", saved);
  await second.control.user("later");
  await second.kill();

  const third = await startKillable(state);
  expect(await third.control.get("/health")).toMatchObject({ world_id: saved.world_id });
  expect(await names(third)).toEqual(["before", "later"]);
});

type Killable = Awaited<ReturnType<typeof startKillable>>;

async function names({ control }: Killable): Promise<string[]> {
  const { tables } = await control.get<State>("/state");
  return (tables["users"] ?? []).map((row) => String(row["username"]));
}

/** Creates an app, a bot whose events go to the receiver, and a person. */
async function linked({ control, url }: Killable): Promise<{
  bot: string;
  person: string;
  webhook: string;
  app: Awaited<ReturnType<typeof control.app>>;
}> {
  const app = await control.app();
  const [bot, person] = [await control.user("hello_bot"), await control.user("alice")];
  receiver.secret = app.consumer_secret;
  await control.host("bot.example", receiver.target);
  const response = await send("POST", `${url}/2/webhooks`, `Bearer ${app.bearer_token}`, {
    url: "https://bot.example/hook",
  });
  const { id: webhook } = response.body["data"] as { id: string };
  const tokens = await control.tokens(bot, app.app_id);
  const path = `${url}/2/account_activity/webhooks/${webhook}/subscriptions/all`;
  expect((await send("POST", path, signed(app, tokens, "POST", path))).status).toBe(200);
  return { bot, person, webhook, app };
}
