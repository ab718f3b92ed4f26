import { describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { secretMask } from "../../../src/system/secrets/secret-mask.ts";

const VALUE = 'p4ss"wörd/+=';

/** A log that knows one secret, and its lines. */
function logging() {
  const lines: string[] = [];
  const mask = secretMask();
  mask.hide(VALUE);
  const log = openLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
    mask,
  });
  return { log, mask, lines, line: () => JSON.parse(lines.at(-1) ?? "") };
}

class OddError extends Error {
  readonly request = { headers: { Authorization: "OAuth abc" }, deep: [{ access_token: "x" }] };
}

describe("a secret", () => {
  it.each<{ where: string; write: (log: ReturnType<typeof logging>["log"]) => void }>([
    { where: "a message", write: (log) => log.info(`the secret is ${VALUE}`) },
    { where: "a field", write: (log) => log.info({ note: VALUE }, "hi") },
    { where: "a field deep inside", write: (log) => log.info({ a: { b: [{ c: { d: VALUE } }] } }) },
    { where: "the name of a field", write: (log) => log.info({ [VALUE]: 1 }) },
    { where: "a URL", write: (log) => log.info(`GET /x?key=${encodeURIComponent(VALUE)}`) },
    { where: "an error's message", write: (log) => log.error({ err: new Error(VALUE) }) },
    {
      where: "an error's cause",
      write: (log) => log.error({ err: new Error("outer", { cause: new Error(VALUE) }) }),
    },
    { where: "a line of a child", write: (log) => log.child({ stage: VALUE }).warn(VALUE) },
  ])("that is known by its value is cut out of $where", ({ write }) => {
    const { log, lines } = logging();
    write(log);

    expect(lines[0]).toContain("[Redacted]");
    expect(lines[0]).not.toContain("p4ss");
    expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
  });

  it("that is unknown is removed by its key's name, at any depth", () => {
    const { log, line } = logging();
    log.info({
      token: "t",
      accessTokenSecret: "t",
      client_secret: { old: "t" },
      a: { b: [{ c: { d: { Authorization: "t", "x-api-key": "t", apiKey: "t" } } }] },
    });

    const cut = "[Redacted]";
    expect(line()).toMatchObject({
      token: cut,
      accessTokenSecret: cut,
      client_secret: cut,
      a: { b: [{ c: { d: { Authorization: cut, "x-api-key": cut, apiKey: cut } } }] },
    });
  });

  it("is removed by its key's name in the data of an error", () => {
    const { log, lines } = logging();
    log.error({ err: new OddError("odd") }, "failed");

    expect(lines[0]).not.toContain("OAuth abc");
    expect(lines[0]).toContain('"access_token":"[Redacted]"');
  });

  it("is removed after words that announce it", () => {
    const { log, line } = logging();
    log.info("sent Authorization: Bearer AAAAAAAAAAAA%2Fxyz to /p?oauth_token=abcdefgh-1&x=1");

    expect(line().msg).toBe(
      "sent Authorization: Bearer [Redacted] to /p?oauth_token=[Redacted]&x=1",
    );
  });

  it("that becomes known later is removed from then on", () => {
    const { log, mask, lines } = logging();
    mask.hide("a-second-one");
    log.info("a-second-one");

    expect(lines[0]).not.toContain("second");
  });

  it.each([
    { value: "1234567", shown: "is 1234567." },
    { value: "12345678", shown: "is [Redacted]." },
  ])("of $value.length characters is shown as: $shown", ({ value, shown }) => {
    const mask = secretMask();
    mask.hide(value);

    expect(mask.text(`is ${value}.`)).toBe(shown);
  });

  it.each([
    { said: "Bearer abcdefg", shown: "Bearer abcdefg" },
    { said: "Bearer abcdefgh", shown: "Bearer [Redacted]" },
    { said: "Basic YW5hOnBhc3M=", shown: "Basic [Redacted]" },
    { said: "the Bearer of news", shown: "the Bearer of news" },
    { said: "?oauth_token=1234567&a=1", shown: "?oauth_token=1234567&a=1" },
    { said: "?oauth_token=12345678&a=1", shown: "?oauth_token=[Redacted]&a=1" },
    { said: "?q=12345678&next_token_at=123", shown: "?q=12345678&next_token_at=123" },
  ])("that is announced in a text is cut out from 8 characters on: $said", ({ said, shown }) => {
    const { log, line } = logging();
    log.info(said);

    expect(line().msg).toBe(shown);
  });

  it("of a few characters is not removed: it would be found everywhere", () => {
    const mask = secretMask();
    mask.hide("on");
    mask.hide("");
    mask.hide(undefined);

    expect(mask.text("nothing on")).toBe("nothing on");
  });

  it("that begins with another secret is removed completely", () => {
    const mask = secretMask();
    mask.hide("12345678");
    mask.hide("12345678-90");

    expect(mask.text("(12345678-90)")).toBe("([Redacted])");
  });

  it("is the only removed text: other lines are unchanged", () => {
    const { log, line } = logging();
    log.info({ secrets: 2, isSecret: true, tokens: null, account: "ana" }, "ready");

    expect(line()).toMatchObject({ secrets: 2, isSecret: true, tokens: null, account: "ana" });
  });
});
