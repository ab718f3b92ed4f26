import { connect } from "node:net";
import { describe, expect, it, test } from "vitest";
import { ComeAgain } from "../../../src/runtime/source.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { receiver, type ReceiverNeeds } from "../../../src/runtime/webhook/receive.ts";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";
import { when } from "../../support/when.ts";
import { listening } from "../../support/listening.ts";

const SECRET = "consumer-secret";
const LIMIT = 1_000_000;

/** Starts a receiver on a real socket; `kept` lists the deliveries that it passed on. */
async function withReceiver(
  during: (url: string, storedDeliveries: { delivery: object; raw: string }[]) => Promise<void>,
  append?: () => Promise<void>,
  more: Partial<ReceiverNeeds> = {},
): Promise<void> {
  const storedDeliveries: { delivery: object; raw: string }[] = [];
  const handle = receiver({
    consumerSecret: SECRET,
    maxBodyBytes: LIMIT,
    log: openLog({ level: "silent" }),
    ...more,
    append: async (delivery, raw) => {
      await append?.();
      storedDeliveries.push({ delivery, raw });
    },
  });
  await listening(handle, (origin) => during(`${origin}/webhook`, storedDeliveries));
}

const post = (url: string, body: string | Buffer, headers: Record<string, string>) =>
  fetch(url, { method: "POST", body, headers });

const signed = (body: string | Buffer, header = "x-platform-webhooks-signature") => ({
  [header]: signatureOf(Buffer.from(body), SECRET),
});

describe("the challenge", () => {
  it("is answered with the token's signature under the consumer secret", () =>
    withReceiver(async (url) => {
      const answer = await fetch(`${url}?crc_token=abc%2Fd%2B%3D&nonce=1`);

      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await answer.json()).toEqual({ response_token: signatureOf("abc/d+=", SECRET) });
    }));

  it.each([
    { query: "crc_token=a?b", token: "a?b", why: "a token with a question mark" },
    { query: "crc_token=a?crc_token=b", token: "a?crc_token=b", why: "a token like a query" },
    { query: "bot=1&crc_token=abc", token: "abc", why: "a webhook's URL with a query" },
  ])("is answered with the whole token: $why", ({ query, token }) =>
    withReceiver(async (url) => {
      const answer = await fetch(`${url}?${query}`);

      expect(await answer.json()).toEqual({ response_token: signatureOf(token, SECRET) });
    }),
  );

  test.each([
    { query: "", why: "there is no token" },
    { query: "?crc_token=", why: "the token is empty" },
    {
      query: `?crc_token=${encodeURIComponent(' {"a":1}')}`,
      why: "its answer would sign a delivery",
    },
    {
      query: `?crc_token=${encodeURIComponent("crc_token=x&nonce=1")}`,
      why: "its answer would sign a challenge",
    },
  ])("is refused when $why", ({ query }) =>
    withReceiver(async (url) => {
      const answer = await fetch(url + query);

      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain("sha256=");
    }),
  );
});

describe("a challenge", () => {
  const usual = "crc_token=abc&nonce=1";

  it.each([
    { secret: SECRET, from: true, why: "its query is signed", query: usual },
    {
      secret: SECRET,
      from: true,
      why: "that of the webhook's URL comes first",
      query: `bot=1&${usual}`,
    },
    { secret: "another-secret", from: false, why: "somebody else signed it", query: usual },
    { secret: undefined, from: false, why: "nobody signed it", query: usual },
  ])("proves that the platform is there: $from, since $why", async ({ secret, from, query }) => {
    const arrivals: [boolean, boolean][] = [];
    await withReceiver(
      async (url) => {
        const headers: Record<string, string> =
          secret === undefined
            ? {}
            : { "x-platform-webhooks-signature": signatureOf(query, secret) };
        const answer = await fetch(`${url}?${query}`, { headers });

        expect(await answer.json()).toEqual({ response_token: signatureOf("abc", SECRET) });
      },
      undefined,
      { onChallenge: (...challenge) => void arrivals.push(challenge) },
    );

    expect(arrivals).toEqual([[true, from]]);
  });
});

describe("a delivery", () => {
  const body = JSON.stringify({ for_user_id: "100", text: "olé ✓ 🎲" });

  test.each(["x-platform-webhooks-signature", "x-twitter-webhooks-signature"])(
    "signed in %s is stored to the letter before it is acknowledged",
    (header) =>
      withReceiver(async (url, storedDeliveries) => {
        const answer = await post(url, body, signed(body, header));

        expect(answer.status).toBe(200);
        expect(storedDeliveries).toEqual([{ delivery: JSON.parse(body), raw: body }]);
      }),
  );

  test.each([
    { headers: {}, why: "no signature" },
    { headers: { "x-platform-webhooks-signature": "" }, why: "an empty one" },
    { headers: { "x-platform-webhooks-signature": "sha256=" }, why: "a short one" },
    {
      headers: { "x-platform-webhooks-signature": signatureOf(body, "another-secret") },
      why: "another secret's",
    },
    { headers: signed(`${body} `), why: "another body's" },
  ])("is refused and not stored with $why", ({ headers }) =>
    withReceiver(async (url, storedDeliveries) => {
      expect((await post(url, body, headers)).status).toBe(401);
      expect(storedDeliveries).toEqual([]);
    }),
  );

  test.each([
    { text: "not json", why: "no JSON" },
    { text: "[1]", why: "an array" },
    { text: "null", why: "null" },
    { text: '"{}"', why: "a text" },
    { text: "", why: "empty" },
  ])("is refused with 400 although signed: $why", ({ text }) =>
    withReceiver(async (url, storedDeliveries) => {
      expect((await post(url, text, signed(text))).status).toBe(400);
      expect(storedDeliveries).toEqual([]);
    }),
  );

  it("of 10 MB is refused with 413, announced or not, and the next one is taken", () =>
    withReceiver(async (url, storedDeliveries) => {
      const huge = Buffer.alloc(10_000_000, 0x20);
      const stream = new ReadableStream({
        start(controller) {
          for (let i = 0; i < 10; i++) controller.enqueue(huge.subarray(0, 1_000_000));
          controller.close();
        },
      });

      const statuses = [
        (await post(url, huge, signed(huge))).status,
        await fetch(url, {
          method: "POST",
          body: stream,
          duplex: "half",
          headers: signed(huge),
        }).then(
          (answer) => answer.status,
          () => "connection closed",
        ),
      ];

      expect(statuses[0]).toBe(413);
      expect([413, "connection closed"]).toContain(statuses[1]);
      expect((await post(url, body, signed(body))).status).toBe(200);
      expect(storedDeliveries).toHaveLength(1);
    }));

  test.each([
    { bytes: LIMIT, announced: true, status: 200 },
    { bytes: LIMIT + 1, announced: true, status: 413 },
    { bytes: LIMIT, announced: false, status: 200 },
    { bytes: LIMIT + 1, announced: false, status: 413 },
  ])(
    "of $bytes bytes, announced: $announced, is answered $status",
    ({ bytes, announced, status }) =>
      withReceiver(async (url, storedDeliveries) => {
        const text = `{"text":"${"x".repeat(bytes - 11)}"}`;
        const { hostname, port } = new URL(url);
        const length = announced ? `content-length: ${bytes}` : "transfer-encoding: chunked";
        const head = `POST /webhook HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${length}\r\nx-platform-webhooks-signature: ${signatureOf(text, SECRET)}\r\n\r\n`;
        const body = announced ? text : `${bytes.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
        const answer = await new Promise<string>((resolve) => {
          let got = "";
          const socket = connect(Number(port), hostname, () => socket.write(head + body));
          socket.on("data", (chunk: Buffer) => (got += chunk.toString()));
          socket.on("error", () => {});
          socket.on("close", () => resolve(got));
        });

        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        expect(storedDeliveries).toHaveLength(status === 200 ? 1 : 0);
      }),
  );

  it("is accepted when it exactly fills the waiting room for the store, and refused with one byte more", () => {
    const body = (bytes: number) => JSON.stringify("x".repeat(bytes)).replace(/.*/, '{"a":$&}');
    const [fits, over] = [body(93), body(94)];
    return withReceiver(
      async (url) => {
        expect([fits.length, over.length]).toEqual([101, 102]);
        expect((await post(url, fits, signed(fits))).status).toBe(200);
        expect((await post(url, over, signed(over))).status).toBe(503);
        expect((await post(url, fits, signed(fits))).status).toBe(200);
      },
      undefined,
      { maxBytesWaiting: 101 },
    );
  });

  it("is refused with 400 when it is nested too deep to be processed", () =>
    withReceiver(async (url, storedDeliveries) => {
      const nested = (depth: number): string =>
        `{"for_user_id":"1","a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      for (const text of [nested(200_000), nested(100)]) {
        const answer = await post(url, text, signed(text));
        expect(answer.status).toBe(400);
        expect(await answer.json()).toEqual({ error: "the body is nested deeper than 100" });
      }
      expect(storedDeliveries).toEqual([]);
      const fits = nested(99);
      expect((await post(url, fits, signed(fits))).status).toBe(200);
    }));

  it("is read correctly when a chunk ends in the middle of a character", () =>
    withReceiver(async (url, storedDeliveries) => {
      const bytes = Buffer.from(body);
      const middle = bytes.indexOf(Buffer.from("🎲")) + 2;
      const { hostname, port } = new URL(url);
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST /webhook HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${bytes.length}\r\n` +
              `x-platform-webhooks-signature: ${signatureOf(bytes, SECRET)}\r\n\r\n`,
          );
          socket.write(bytes.subarray(0, middle), () =>
            setImmediate(() => socket.write(bytes.subarray(middle))),
          );
        });
        let text = "";
        socket.on("data", (chunk) => (text += chunk.toString()));
        socket.on("end", () => resolve(text));
        socket.on("error", reject);
      });

      expect(answer).toContain("200 OK");
      expect(storedDeliveries[0]?.raw).toBe(body);
    }));

  it("is refused with 503 while too much waits to be stored, and accepted when there is room again", () => {
    let release = (): void => {};
    let begun = 0;
    const stalled = new Promise<void>((resolve) => (release = resolve));
    return withReceiver(
      async (url, storedDeliveries) => {
        const big = JSON.stringify({ text: "x".repeat(400_000) });
        const waiting = [post(url, big, signed(big)), post(url, big, signed(big))];
        await when(() => (begun === 2 ? true : undefined));
        const refused = await post(url, big, signed(big));
        release();

        expect(refused.status).toBe(503);
        expect(await refused.json()).toMatchObject({ error: expect.stringContaining("again") });
        for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
        expect((await post(url, big, signed(big))).status).toBe(200);
        expect(storedDeliveries).toHaveLength(3);
      },
      () => {
        begun += 1;
        return stalled;
      },
      { maxBytesWaiting: 1_000_000 },
    );
  });

  it.each([
    { secret: SECRET, status: 200, why: "the current one" },
    { secret: "previous-secret", status: 200, why: "the one before it" },
    { secret: "the-one-before-that", status: 401, why: "any other" },
  ])("that is signed with $why of two secrets is answered $status", ({ secret, status }) =>
    withReceiver(
      async (url, storedDeliveries) => {
        const headers = { "x-platform-webhooks-signature": signatureOf(body, secret) };

        expect((await post(url, body, headers)).status).toBe(status);
        expect(storedDeliveries).toHaveLength(status === 200 ? 1 : 0);
        const answer = await fetch(`${url}?crc_token=abc`);
        expect(await answer.json()).toEqual({ response_token: signatureOf("abc", SECRET) });
      },
      undefined,
      { previousConsumerSecret: "previous-secret" },
    ),
  );

  it.each([
    { error: new ComeAgain("older events are being read first"), told: "older events", logged: 0 },
    { error: new Error("disk full"), told: "could not be stored", logged: 1 },
  ])(
    "that $error.message is answered with 503 and reported; only a fault is logged",
    async (one) => {
      const lines: string[] = [];
      const refused: string[] = [];
      const log = openLog({
        level: "warn",
        destination: { write: (line) => void lines.push(line) },
      });
      const body = JSON.stringify({ for_user_id: "100" });
      const more = { log, onRefused: (account: string) => void refused.push(account) };
      await withReceiver(
        async (url) => {
          const answer = await post(url, body, signed(body));
          expect(answer.status).toBe(503);
          expect(await answer.text()).toContain(one.told);
        },
        () => Promise.reject(one.error),
        more,
      );

      expect(refused).toEqual(["100"]);
      expect(lines).toHaveLength(one.logged);
    },
  );

  it("that the store refused is answered with 503, so that it is repeated, and reported with its account", () => {
    const refused: string[] = [];
    const unaddressed = JSON.stringify({ a: 1 });
    return withReceiver(
      async (url, storedDeliveries) => {
        expect((await post(url, body, signed(body))).status).toBe(503);
        expect((await post(url, unaddressed, signed(unaddressed))).status).toBe(503);
        expect(storedDeliveries).toEqual([]);
        expect(refused).toEqual(["100", ""]);
      },
      () => Promise.reject(new Error("disk full")),
      { onRefused: (account) => refused.push(account) },
    );
  });

  it.each([
    { why: "one event", data: { filter: { user_id: "100" } }, accounts: ["100"] },
    {
      why: "events of two accounts",
      data: ["100", "101", "100"].map((user_id) => ({ filter: { user_id } })),
      accounts: ["100", "101"],
    },
  ])(
    "of the activity interface that the store refused is reported with its accounts: $why",
    async ({ data, accounts }) => {
      const refused: string[] = [];
      const ofActivity = JSON.stringify({ data });
      await withReceiver(
        async (url) => void (await post(url, ofActivity, signed(ofActivity))),
        () => Promise.reject(new Error("disk full")),
        { onRefused: (account) => refused.push(account) },
      );

      expect(refused).toEqual(accounts);
    },
  );

  it("is not reported as refused if a stranger sent it or it is not a delivery", () => {
    const refused: string[] = [];
    return withReceiver(
      async (url) => {
        await post(url, body, {});
        await post(url, body, signed("another body"));
        await post(url, "[]", signed("[]"));
        await post(url, body, signed(body));

        expect(refused).toEqual([]);
      },
      undefined,
      { onRefused: (account) => refused.push(account) },
    );
  });

  it("by any other method is refused with 405", () =>
    withReceiver(async (url) => {
      expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
    }));
});

describe("a backlog of undecided events", () => {
  const BODY = '{"a":1}';

  /** Starts a receiver in front of a backlog that the test sets. */
  async function behind(
    during: (url: string, backlog: { undecided: number }, storedTexts: string[]) => Promise<void>,
    onRefused: (account: string) => void = () => {},
  ): Promise<void> {
    const backlog = { undecided: 1_000_000 };
    const storedTexts: string[] = [];
    const handle = receiver({
      consumerSecret: SECRET,
      maxBodyBytes: LIMIT,
      undecided: () => backlog.undecided,
      log: openLog({ level: "silent" }),
      onRefused,
      append: async (_delivery, raw) => void storedTexts.push(raw),
    });
    await listening(handle, (origin) => during(`${origin}/webhook`, backlog, storedTexts));
  }

  it("makes the bot refuse a delivery with 503 and a time to wait, and store nothing of it", () =>
    behind(async (url, _backlog, storedTexts) => {
      const answer = await post(url, BODY, signed(BODY));

      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("5");
      expect(await answer.json()).toEqual({
        error: "too much waits to be answered; send it again",
      });
      expect(storedTexts).toEqual([]);
    }));

  it("does not delay the answer to a challenge", () =>
    behind(async (url) => {
      await post(url, BODY, signed(BODY));
      const answer = await fetch(`${url}?crc_token=abc`);

      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ response_token: signatureOf("abc", SECRET) });
    }));

  it("ends when the backlog is processed: the same delivery is then accepted", () => {
    const refused: string[] = [];
    return behind(
      async (url, backlog, storedTexts) => {
        const first = await post(url, BODY, signed(BODY));
        backlog.undecided = 0;
        const again = await post(url, BODY, signed(BODY));

        expect([first.status, again.status]).toEqual([503, 200]);
        expect(storedTexts).toEqual([BODY]);
        expect(refused).toEqual([""]);
      },
      (account) => refused.push(account),
    );
  });

  it("is shown in the status", async () => {
    const handle = receiver({
      consumerSecret: SECRET,
      maxBodyBytes: LIMIT,
      undecided: () => 1_000_000,
      log: openLog({ level: "silent" }),
      append: async () => {},
    });
    expect(handle.status()).toEqual({ shedding: false, shed: 0 });

    await listening(handle, async (origin) => {
      await post(`${origin}/webhook`, BODY, signed(BODY));
    });

    expect(handle.status()).toEqual({ shedding: true, shed: 1 });
  });
});
