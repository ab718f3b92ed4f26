import { createServer, type Server } from "node:https";
import { afterEach, describe, expect, it } from "vitest";
import { judgeAnswer } from "../../../src/cli/doctor/live/judge-answer.ts";
import { askPublicly, type PublicAnswer } from "../../../src/cli/doctor/live/public-request.ts";
import { listen } from "../../../src/system/listen.ts";
import { certificateFor } from "../../support/tls-front.ts";

const URL_ASKED = new URL("https://bot.example/webhook?crc_token=t");
const HERE = { host: "127.0.0.1", port: 8080 };
const addresses = ["203.0.113.5"];

const answer = (status: number, body: string, more = {}): PublicAnswer => ({
  step: "answer",
  addresses,
  status,
  type: "text/html",
  location: "",
  body,
  ms: 40,
  ...more,
});
const RIGHT = '{"response_token":"sha256=right"}';
const QUESTION = { url: URL_ASKED, expected: "sha256=right", listen: HERE, botRuns: true };

describe("the answer to a question through the public address", () => {
  it.each<{
    answer: PublicAnswer;
    arrived: boolean;
    state: string;
    said: RegExp;
    fix: RegExp;
    why: string;
  }>([
    {
      answer: { step: "resolve", reason: "ENOTFOUND", addresses: [] },
      arrived: false,
      state: "fail",
      said: /bot\.example has no address/,
      fix: /DNS record/,
      why: "no DNS record",
    },
    {
      answer: { step: "connect", reason: "ECONNREFUSED", addresses },
      arrived: false,
      state: "fail",
      said: /nothing answers for bot\.example at 203\.0\.113\.5/,
      fix: /port 443/,
      why: "no proxy, or a firewall",
    },
    {
      answer: { step: "tls", reason: "self-signed certificate", addresses },
      arrived: false,
      state: "fail",
      said: /the certificate of bot\.example does not hold/,
      fix: /get one for bot\.example/,
      why: "a certificate that nobody trusts",
    },
    {
      answer: answer(301, "", { location: "https://www.bot.example/webhook" }),
      arrived: false,
      state: "fail",
      said: /redirects/,
      fix: /set webhook\.url to where it leads/,
      why: "the platform follows no redirect",
    },
    {
      answer: answer(502, "bad gateway"),
      arrived: false,
      state: "fail",
      said: /does not reach 127\.0\.0\.1:8080/,
      fix: /forward to http:\/\/127\.0\.0\.1:8080/,
      why: "a proxy that leads elsewhere",
    },
    {
      answer: answer(400, '{"error":"a challenge carries the query parameter crc_token"}'),
      arrived: true,
      state: "fail",
      said: /leaves out the query/,
      fix: /with its query/,
      why: "a proxy that cuts the address",
    },
    {
      answer: answer(404, "not found"),
      arrived: false,
      state: "fail",
      said: /answers 404, and not from here/,
      fix: /forward \/webhook unchanged/,
      why: "a proxy that does not know the path",
    },
    {
      answer: answer(200, "<html>Visit site</html>"),
      arrived: false,
      state: "fail",
      said: /shows something else than the bot/,
      fix: /without a page of its own/,
      why: "a tunnel that shows a page first",
    },
    {
      answer: answer(200, '{"response_token":"sha256=other"}'),
      arrived: false,
      state: "fail",
      said: /signs with another secret/,
      fix: /end the bot that runs elsewhere/,
      why: "another app's bot",
    },
    {
      answer: answer(200, '{"response_token":"sha256=other"}'),
      arrived: true,
      state: "fail",
      said: /signs with another secret/,
      fix: /start the bot again/,
      why: "a bot that runs with the secret of before",
    },
    {
      answer: answer(200, RIGHT),
      arrived: false,
      state: "fail",
      said: /another process answers/,
      fix: /end the bot that runs elsewhere/,
      why: "this app's bot on another machine",
    },
    {
      answer: answer(200, RIGHT, { ms: 3_400 }),
      arrived: true,
      state: "warn",
      said: /after 3400 ms/,
      fix: /waits about 3 s/,
      why: "an answer that comes late",
    },
  ])("is judged: $why", ({ answer: publicAnswer, arrived, state, said, fix }) => {
    const finding = judgeAnswer({ ...QUESTION, arrived }, publicAnswer);

    expect(finding.state).toBe(state);
    expect(finding.message).toMatch(said);
    expect(finding.fix).toMatch(fix);
    expect(finding.details).toEqual([
      `asked:      GET ${URL_ASKED.href}`,
      expect.stringMatching(/^came back: {2}./),
      `seen here:  ${arrived ? "yes" : "no"}, by the bot at 127.0.0.1:8080`,
    ]);
  });

  it("is good when this very machine has signed it in time", () => {
    expect(judgeAnswer({ ...QUESTION, arrived: true }, answer(200, RIGHT))).toEqual({
      name: "address",
      state: "ok",
      message: "https://bot.example/webhook reaches this machine, 40 ms",
    });
  });
});

describe("a question through a public address", () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  it("stops at a host name without an address", async () => {
    const response = await askPublicly(new URL("https://bot.invalid/webhook"), undefined);

    expect(response).toMatchObject({ step: "resolve", addresses: [] });
  });

  it("stops if no server listens", async () => {
    const response = await askPublicly(URL_ASKED, { host: "127.0.0.1", port: 1 });

    expect(response).toMatchObject({
      step: "connect",
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("stops at an untrusted certificate", async () => {
    const { key, cert } = await certificateFor("bot.example");
    server = createServer({ key, cert }, (_, response) => response.end("{}"));
    const port = await listen(server, 0);

    expect(await askPublicly(URL_ASKED, { host: "127.0.0.1", port })).toMatchObject({
      step: "tls",
      reason: expect.stringContaining("self-signed"),
    });
  });
});
