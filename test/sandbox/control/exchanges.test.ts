import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExchangeLog } from "../../../src/sandbox/kernel/delivery/exchange-log.ts";
import { startSandbox } from "../../../src/sandbox/start.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let world: TestSandbox;
beforeAll(async () => {
  world = await startTestSandbox();
  await world.subscribed();
});
afterAll(() => world.close());

describe("the exchanges of a sandbox", () => {
  it("show a signed request with its base string", async () => {
    const { sandbox } = world;
    await world.asBot("POST", "/2/posts", { text: "a text to find" });
    const { control } = sandbox;
    const [head] = await control.exchanges({ about: "a text to find" });
    const shown = await control.exchange(head?.seq ?? 0);
    const signature = shown.signature;

    expect(shown).toMatchObject({
      direction: "request",
      method: "POST",
      url: "/2/posts",
      status: 201,
    });
    expect(shown.request.body).toBe('{"text":"a text to find"}');
    expect(shown.response.body).toContain("a text to find");
    expect(signature).toMatchObject({ kind: "oauth1", key: "••••&••••", matches: true });
    expect(signature?.base).toMatch(/^POST&http%3A%2F%2F127\.0\.0\.1.*oauth_consumer_key/);
    expect(signature?.wanted).toBe(signature?.given);
  });

  it("show challenges and deliveries with the signed text, linked from their records", async () => {
    const { sandbox, person, bot, app } = world;
    const { control } = sandbox;
    const before = (await control.deliveries()).at(-1)?.seq;
    await control.act(person, { type: "dm", to: bot, text: "hello" });
    await control.advance(1_000);
    const records = [
      ...(await control.deliveries(0, "crc")),
      ...(await control.deliveries(before)),
    ];
    const kinds = await Promise.all(records.map(({ exchange }) => control.exchange(exchange)));

    expect(new Set(kinds.map(({ direction }) => direction))).toEqual(
      new Set(["challenge", "delivery"]),
    );
    for (const { signature } of kinds) {
      expect(signature).toMatchObject({
        kind: "webhook",
        given: expect.stringMatching(/^sha256=/),
      });
    }
    expect(JSON.stringify(kinds)).not.toContain(app.consumer_secret);
  });

  it("name the fault that affected them, and are found by it", async () => {
    const { sandbox, person, bot } = world;
    const { control } = sandbox;
    const cut = await control.addFault({
      match: { direction: "delivery" },
      fault: { type: "cut" },
    });
    const refused = await control.addFault({
      match: { direction: "request", path: "/2/posts" },
      fault: { type: "status", status: 503 },
    });
    await control.act(person, { type: "dm", to: bot, text: "met by a fault" });
    await control.advance(1_000);
    await world.asBot("POST", "/2/posts", { text: "refused by a fault" });

    expect(await control.exchanges({ fault: cut })).toMatchObject([
      { direction: "delivery", fault: cut, fault_type: "cut", outcome: "cut" },
    ]);
    expect(await control.exchanges({ fault: "any" })).toMatchObject([
      { fault: cut },
      { direction: "request", method: "POST", fault: refused, fault_type: "status", status: 503 },
    ]);
    await control.clearFaults();
    await control.advance(60_000);
  });

  it("are found by the content of their body", async () => {
    const { sandbox, person, bot } = world;
    const { control } = sandbox;
    await control.act(person, { type: "dm", to: bot, text: "found by its path" });
    await control.advance(1_000);
    const where = 'direct_message_events[0].*.message_data.text = "found by its path"';

    expect(await control.exchanges({ where })).toMatchObject([{ direction: "delivery" }]);
    await expect(control.exchanges({ where: "a..b" })).rejects.toThrow(
      'where: "..b" at 2 is no step',
    );
  });

  it("are repeated in the requested order, as often as requested", async () => {
    const { sandbox, person, bot } = world;
    const { control } = sandbox;
    for (const text of ["one", "two"]) await control.act(person, { type: "dm", to: bot, text });
    await control.advance(1_000);
    const [one, two] = (await control.deliveries(0, "direct_message_events")).slice(-2);
    if (one === undefined || two === undefined) throw new Error("both were delivered");

    expect(await control.deliverAgain([two.seq, one.seq], 2)).toBe(4);
    await control.advance(0);
    const again = await control.deliveries(two.seq, "direct_message_events");
    const ids = again.map(({ activity_id }) => activity_id);
    expect(ids).toEqual([two, two, one, one].map(({ activity_id }) => activity_id));

    const [challenge] = await control.deliveries(0, "crc");
    await expect(control.deliverAgain([challenge?.seq ?? 0])).rejects.toThrow(
      "tells of no event: only events are delivered again",
    );
    await expect(control.deliverAgain([9_999_999])).rejects.toThrow("is not kept any more");
  });

  it("never hold a secret in plain", async () => {
    const { app, sandbox, person } = world;
    await world.asApp("GET", `/2/users/${person}`);
    const basic = Buffer.from(`${app.consumer_key}:${app.consumer_secret}`).toString("base64");
    await fetch(`${sandbox.url}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    const wrong = {
      client_secret: "a-secret-in-a-form",
      "passw%6Frd": "x",
      password: "open sesame 123",
    };
    await fetch(`${sandbox.url}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams(wrong),
    });
    const heads = await sandbox.control.exchanges();
    const all = JSON.stringify(
      await Promise.all(heads.map(({ seq }) => sandbox.control.exchange(seq))),
    );

    const secrets = [app.bearer_token, app.consumer_secret, basic, "a-secret-in-a-form", "sesame"];
    for (const secret of secrets) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(encodeURIComponent(secret));
    }
    expect(all).toContain(`…${app.consumer_secret.slice(-4)}`);
  });

  it("are deleted by a reset, and their numbers are not used again", async () => {
    const sandbox = await startSandbox();
    const ask = () => fetch(`${sandbox.url}/2/users/me`);
    await ask();
    await ask();
    const [first, second] = await sandbox.control.exchanges();
    await sandbox.reset();

    expect(await sandbox.control.exchanges()).toEqual([]);
    await ask();
    const [third] = await sandbox.control.exchanges();
    expect([first?.seq, second?.seq, third?.seq]).toEqual([1, 2, 3]);
    await sandbox.close();
  });
});

describe("the log of exchanges", () => {
  it("is bounded by count and by bytes, and cuts long bodies", () => {
    const log = new ExchangeLog();
    const body = Buffer.alloc(200_000, "a");
    const addMany = (sent: Buffer | string): void => {
      for (let count = 0; count < 1_000; count += 1) {
        log.add({
          at: 0,
          direction: "request",
          method: "POST",
          url: "/",
          query: "",
          status: 200,
          ms: 0,
          request: { headers: {}, body: sent },
          response: { headers: {}, body: "" },
          about: {},
        });
      }
    };
    addMany(body);
    const stored = log.after(0);
    expect(log.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(stored.at(-1)?.exchange.request.body.length).toBe(65_536);
    expect(stored.at(-1)?.lengths.request).toBe(200_000);
    addMany("");
    expect(log.after(0)).toHaveLength(1_000);
  });
});
