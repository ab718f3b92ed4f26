import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { play } from "../support/playing.ts";

const rule = (steps: string) => `rules: [{id: a, triggers: [dm.received], actions: [${steps}]}]`;
const problemsOf = (step: string) =>
  compile([{ path: "a.yaml", text: `version: 1\n${rule(step)}` }]).problems;

describe("http", () => {
  it("asks with its expressions filled in, secrets too, and gives what came back", () => {
    const steps = `{id: a, http: {method: POST, url: "https://t.example/\${{ url(message.text) }}", headers: {Authorization: "Bearer \${{ secrets.KEY }}"}, json: {text: "\${{ message.text }}", n: 1}}, timeout: 4s},
      {log: "\${{ steps.a.status }} \${{ steps.a.json.id }} \${{ steps.a.text }} \${{ steps.a.ok }}"}`;
    const [asked, log] = play(messageReceived({ text: "a/b" }), rulesetOf(rule(steps)), (next) =>
      next.kind === "http"
        ? { ok: true, result: null, status: 201, text: "t", json: { id: "T7" } }
        : { ok: true, result: null },
    );

    expect(asked).toMatchObject({
      kind: "http",
      timeoutMs: 4_000,
      request: {
        method: "POST",
        url: "https://t.example/a%2Fb",
        headers: { authorization: "Bearer s3", "content-type": "application/json" },
        body: '{"text":"a/b","n":1}',
      },
    });
    expect(log).toMatchObject({ message: "201 T7 t true" });
  });

  it("fails for a header that a text would break in two", () => {
    const step = `{http: {url: "https://t.example/", headers: {x-a: "\${{ message.text }}"}}}`;
    const [end] = play(messageReceived({ text: "a\r\nx-b: c" }), rulesetOf(rule(step)));

    expect(end).toMatchObject({ kind: "done", end: { outcome: "failed" } });
  });

  test.each([
    { step: "{http: {url: t.example}}", code: "http-url" },
    { step: "{http: {url: 'ftp://t.example/'}}", code: "http-url" },
    { step: "{http: {method: POST}}", code: "missing-key" },
    { step: "{http: {method: POTS, url: 'https://a.example'}}", code: "unknown-word" },
    { step: "{http: {url: 'https://a.example', json: {a: 1}}}", code: "body-without-use" },
    {
      step: "{http: {method: PUT, url: 'https://a.example', json: 1, body: a}}",
      code: "two-bodies",
    },
    { step: "{http: {url: 'https://a.example', expect_status: 20}}", code: "invalid-value" },
  ])("is refused: $step", ({ step, code }) => {
    expect(problemsOf(step).map((problem) => problem.code)).toEqual([code]);
  });
});
