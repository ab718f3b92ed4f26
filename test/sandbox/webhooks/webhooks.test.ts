import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";
import { webhookUrlFault } from "../../../src/sandbox/model/webhooks.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

const url = "https://bot.example/hook";
const register = (to = url): ReturnType<TestSandbox["asApp"]> =>
  fixture.asApp("POST", "/2/webhooks", { url: to });

/** Returns the first error's message up to its first colon. */
function reasonOf(body: object): string {
  const { errors } = body as { errors: { message: string }[] };
  return errors[0]?.message.split(":")[0] ?? "";
}

describe("registering a webhook", () => {
  it("answers with the configuration once the challenge has passed", async () => {
    const { status, body } = await register();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        id: expect.stringMatching(/^\d+$/),
        url,
        valid: true,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  });

  it("refuses in the documented envelope", async () => {
    await register();

    expect((await register()).body).toEqual({
      errors: [{ message: expect.stringMatching(/^DuplicateUrlFailed: ./) }],
      title: "Invalid Request",
      detail: "One or more parameters to your request was invalid.",
      type: `${fixture.sandbox.url}/2/problems/invalid-request`,
    });
  });

  test.each([
    { fault: "http://bot.example/hook", why: "not https" },
    { fault: "https://bot.example:443/hook", why: "a port, even the usual one" },
    { fault: "https://127.0.0.1/hook", why: "not public" },
    { fault: "https://localhost/hook", why: "not public" },
    { fault: "bot.example", why: "not a URL" },
  ])("takes no $fault: $why", async ({ fault }) => {
    const { status, body } = await register(fault);

    expect([status, reasonOf(body)]).toEqual([400, "UrlValidationFailed"]);
  });

  it("names the host table when the host is not in it", async () => {
    const { body } = await register("https://elsewhere.example/hook");

    expect(JSON.stringify(body)).toMatch(
      /CrcValidationFailed: The host elsewhere.example.*host table/,
    );
  });

  it("fails when the receiver signs with another secret", async () => {
    fixture.answers.secret = "another";

    expect(reasonOf((await register()).body)).toBe("CrcValidationFailed");
  });

  it("fails within ten seconds when the receiver never answers", async () => {
    fixture.answers.hang = true;
    await fixture.sandbox.control.call("PATCH", "/settings", { timeouts: { challenge_ms: 50 } });

    expect(reasonOf((await register()).body)).toBe("CrcValidationFailed");
  });

  it("stops at five on the enterprise plan, over all apps of the project", async () => {
    for (const path of ["1", "2", "3", "4", "5"]) await register(`${url}/${path}`);

    expect(reasonOf((await register(`${url}/6`)).body)).toBe("WebhookLimitExceeded");
  });

  it("needs an app-only token", async () => {
    expect((await fixture.asBot("GET", "/2/webhooks")).status).toBe(403);
  });
});

describe("a registered webhook", () => {
  it("is listed, and the list is empty after it is deleted", async () => {
    const id = await fixture.subscribed();
    expect((await fixture.asApp("GET", "/2/webhooks")).body["meta"]).toEqual({ result_count: 1 });

    expect((await fixture.asApp("DELETE", `/2/webhooks/${id}`)).body).toEqual({
      data: { deleted: true },
    });

    expect((await fixture.asApp("GET", "/2/webhooks")).body).toEqual({
      data: [],
      meta: { result_count: 0 },
    });
    expect(reasonOf((await fixture.asApp("DELETE", `/2/webhooks/${id}`)).body)).toBe(
      "WebhookIdInvalid",
    );
  });

  it("turns invalid at the hourly check and valid again at the next", async () => {
    const id = await fixture.subscribed();
    const valid = async (): Promise<unknown> =>
      ((await fixture.asApp("GET", "/2/webhooks")).body["data"] as { valid: boolean }[])[0]?.valid;

    fixture.answers.secret = "another";
    await fixture.sandbox.control.advance(3_600_000);
    expect(await valid()).toBe(false);
    expect(reasonOf((await fixture.asApp("PUT", `/2/webhooks/${id}`)).body)).toBe(
      "CrcValidationFailed",
    );

    fixture.answers.secret = fixture.app.consumer_secret;
    await fixture.sandbox.control.advance(3_600_000);
    expect(await valid()).toBe(true);
    expect((await fixture.asApp("PUT", `/2/webhooks/${id}`)).body).toMatchObject({
      data: { valid: true },
    });
  });

  it("gets no events while it is invalid", async () => {
    await fixture.subscribed();
    fixture.answers.secret = "another";
    await fixture.sandbox.control.advance(3_600_000);

    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "anybody?",
    });
    await fixture.idle();

    expect(fixture.received).toEqual([]);
  });
});

describe("the address of a webhook", () => {
  const long = (length: number) => "https://bot.example/".padEnd(length, "x");

  test.each([
    { url: "https://93.184.216.34/", why: "public" },
    { url: "https://[2606:4700::6810:84e5]/", why: "public by IPv6" },
    { url: "https://172.32.0.1/", why: "past the private ones" },
    { url: "https://bot.example?of=a", why: "without a path" },
    { url: "https://localhost.example/", why: "a like name" },
    { url: long(200), why: "as long as it may be" },
  ])("is accepted: $url, $why", ({ url }) => {
    expect(webhookUrlFault(url)).toBeUndefined();
  });

  test.each([
    { url: "https://10.0.0.1/", says: "not publicly reachable" },
    { url: "https://100.64.0.1/", says: "not publicly reachable" },
    { url: "https://224.0.0.1/", says: "not publicly reachable" },
    { url: "https://[::1]/", says: "not publicly reachable" },
    { url: "https://[::ffff:127.0.0.1]/", says: "not publicly reachable" },
    { url: "https://[fe90::1]/", says: "not publicly reachable" },
    { url: "https://bot/", says: "not publicly reachable" },
    { url: "https://bot.local/", says: "not publicly reachable" },
    { url: "https://192.0.2.1/", says: "not publicly reachable" },
    { url: "https://[2001:db8::1]/", says: "not publicly reachable" },
    { url: "https://localhost./", says: "not publicly reachable" },
    { url: "https://0x7f.1/", says: "not publicly reachable" },
    { url: "https://me@bot.example/", says: "credentials" },
    { url: "https://:word@bot.example/", says: "credentials" },
    { url: "https://bot.example/#a", says: "fragment" },
    { url: "https://bot.example/#", says: "fragment" },
    { url: "https:bot.example:8443/x", says: "port" },
    { url: "https:bot.example/x", says: "Write https://bot.example/x" },
    { url: "https:/bot.example/x", says: "Write https://bot.example/x" },
    { url: "https:\\\\bot.example\\x", says: "Write https://bot.example/x" },
    { url: " https://bot.example/x", says: "Write https://bot.example/x" },
    { url: "https://bot.example/x\n", says: "Write https://bot.example/x" },
    { url: "https://bot.example/a/../x", says: "Write https://bot.example/x" },
    { url: "https://BOT.example/x", says: "Write https://bot.example/x" },
    { url: "https://bot.example:/", says: "port" },
    { url: long(201), says: "longer than 200" },
  ])("is refused: $url, $says", ({ url, says }) => {
    expect(webhookUrlFault(url)).toContain(says);
  });
});

it("signs deliveries with the consumer secret over the raw body", async () => {
  await fixture.subscribed();
  await fixture.sandbox.control.act(fixture.person, { type: "dm", to: fixture.bot, text: "héllo" });
  await fixture.idle();

  const raw = fixture.received[0]?.raw ?? "";
  const headers = fixture.received[0]?.headers;
  const hash = createHmac("sha256", fixture.app.consumer_secret).update(raw).digest("base64");
  expect(headers?.["x-platform-webhooks-signature"]).toBe(`sha256=${hash}`);
  expect(headers?.["content-type"]).toBe("application/json");
});
