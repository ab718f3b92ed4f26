import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { Json } from "../../../src/protocol/json.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { play } from "../support/playing.ts";

const rule = (steps: string) => `rules: [{id: a, triggers: [dm.received], actions: [${steps}]}]`;
const problemsOf = (step: string) =>
  compile([{ path: "a.yaml", text: `version: 1\n${rule(step)}` }]).problems;

const FORM = "application/x-www-form-urlencoded; charset=utf-8";
const bodyStep = (body: string, type: string) =>
  JSON.stringify({
    http: { method: "POST", url: "https://a.example", headers: { "Content-Type": type }, body },
  });

describe("http", () => {
  it("sends the request with its expressions filled in, including secrets, and returns the answer", () => {
    const steps = `{id: a, http: {method: POST, url: "https://t.example/\${{ url(message.text) }}", headers: {Authorization: "Bearer \${{ secrets.KEY }}"}, json: {text: "\${{ message.text }}", n: 1}}, timeout: 4s},
      {log: "\${{ steps.a.status }} \${{ steps.a.json.id }} \${{ steps.a.text }} \${{ steps.a.ok }}"}`;
    const [request, log] = play(messageReceived({ text: "a/b" }), rulesetOf(rule(steps)), (next) =>
      next.kind === "http"
        ? { ok: true, result: null, status: 201, text: "t", json: { id: "T7" } }
        : { ok: true, result: null },
    );

    expect(request).toMatchObject({
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

  test.each(["constructor", "__proto__", "prototype", "toString", "hasOwnProperty"])(
    "returns an answer with the key %s, which objects inherit",
    (key) => {
      const json: unknown = JSON.parse(`{"team": {"name": "Red", "${key}": {"id": 7}}}`);
      const steps = `{id: a, http: {url: "https://t.example/"}},
        {log: "\${{ steps.a.json.team.name }} \${{ steps.a.json.team['${key}'].id }} \${{ size(steps.a.json.team) }}"}`;
      const [, log] = play(messageReceived({ text: "a" }), rulesetOf(rule(steps)), (next) =>
        next.kind === "http"
          ? { ok: true, result: null, status: 200, text: "t", json: json as Json }
          : { ok: true, result: null },
      );

      expect(log).toMatchObject({ message: "Red 7 2" });
    },
  );

  test.each([
    {
      why: "a path segment",
      path: "o/${{ message.text }}",
      text: "a/b?c#d",
      url: "o/a%2Fb%3Fc%23d",
    },
    {
      why: "a query value",
      path: "?q=${{ message.text }}&n=1",
      text: "a&b=c",
      url: "?q=a%26b%3Dc&n=1",
    },
    { why: "encoded once", path: "o/${{ url(message.text) }}", text: "a b", url: "o/a%20b" },
    { why: "a part of a segment", path: "o/x${{ message.text }}", text: "..", url: "o/x.." },
    {
      why: "of the query, where dots lead nowhere",
      path: "?q=${{ message.text }}",
      text: "..",
      url: "?q=..",
    },
  ])("keeps a value in its part of the address: $why", ({ path, text, url }) => {
    const step = `{http: {url: "https://t.example/${path}"}}`;
    const [request] = play(messageReceived({ text }), rulesetOf(rule(step)));

    expect(request).toMatchObject({ kind: "http", request: { url: `https://t.example/${url}` } });
  });

  test.each([
    { text: "..", path: "o/${{ message.text }}/b" },
    { text: ".", path: "o/${{ message.text }}/b" },
    { text: "..", path: "o/${{ url(message.text) }}" },
    { text: "../../admin?x=", path: "o/${{ message.text }}" },
    { text: "../admin", path: "o/${{ url(message.text) }}" },
    { text: "..\\admin", path: "o/${{ url(message.text) }}" },
    { text: "%2e%2E", path: "o/${{ message.text }}" },
    { text: "%252e.", path: "o/${{ url(message.text) }}" },
    { text: ".", path: "o/.${{ message.text }}" },
    { text: "..;a", path: "o/${{ message.text }}" },
  ])("fails if $text would change more than its part of $path", ({ text, path }) => {
    const step = `{http: {url: "https://t.example/${path}"}}`;
    const [end] = play(messageReceived({ text }), rulesetOf(rule(step)));

    expect(end).toMatchObject({ kind: "done", end: { outcome: "failed" } });
  });

  it("takes the host from a secret, and fails if the host would come from the event", () => {
    const step = `{http: {url: "\${{ secrets.KEY }}//\${{ message.text }}"}}`;
    const ask = (KEY: string) =>
      play(messageReceived({ text: "evil" }), rulesetOf(rule(step)), undefined, {
        secrets: { KEY },
      })[0];

    expect(ask("https://t.example")).toMatchObject({
      request: { url: "https://t.example//evil", secret: { headers: [], body: false } },
    });
    expect(ask("https:")).toMatchObject({ kind: "done", end: { outcome: "failed" } });
  });

  it("reports which parts contain secrets", () => {
    const step = `{http: {method: POST, url: "https://t.example/?k=\${{ secrets.KEY.substring(1) }}", headers: {X-A: "\${{ secrets.KEY }}", x-b: b}, json: {a: ["\${{ secrets.KEY.upper() }}"]}}}`;
    const [request] = play(messageReceived(), rulesetOf(rule(step)));

    expect(request).toMatchObject({
      request: {
        secret: {
          url: "https://t.example/?k=${{ secrets.KEY.substring(1) }}",
          headers: ["x-a"],
          body: true,
        },
      },
    });
  });

  it("does not quote a secret's value if an expression fails", () => {
    const step = `{http: {url: "https://t.example/\${{ int(secrets.KEY) }}"}}`;
    const [end] = play(messageReceived(), rulesetOf(rule(step)), undefined, {
      secrets: { KEY: "hunter2-hunter2" },
    });

    expect(end).toMatchObject({ kind: "done", end: { outcome: "failed" } });
    expect(JSON.stringify(end)).not.toContain("hunter");
    expect(JSON.stringify(end)).toContain("int(secrets.KEY) has no value");
  });

  test.each([
    '{if: "secrets.KEY == message.text", then: [{log: a}]}',
    '{log: "${{ secrets.KEY.substring(0, 3) }}"}',
    '{set: {state.sender.a: "${{ size(secrets.KEY) }}"}}',
  ])("and call are the only steps that read values of secrets: %s", (step) => {
    expect(problemsOf(step).map((problem) => problem.code)).toContain("secret-in-text");
  });

  it("lets other steps test whether a secret is set", () => {
    expect(problemsOf('{if: "has(secrets.KEY)", then: [{log: a}]}')).toEqual([]);
  });

  test.each([
    { body: "a=${{ url(message.text) }}&b=1", type: FORM },
    { body: "a=${{ secrets.KEY }}", type: FORM },
    { body: "a=${{ size(message.text) }}", type: FORM },
    { body: 'a=${{ size(message.text) > 3 ? "b" : "c" }}', type: FORM },
    { body: '{"a": ${{ size(message.text) }}}', type: "application/json" },
    { body: "${{ message.text }}", type: "text/plain" },
  ])("sends the body $body as $type without a warning", ({ body, type }) => {
    expect(problemsOf(bodyStep(body, type))).toEqual([]);
  });

  it("fails for a header that a text would split", () => {
    const step = `{http: {url: "https://t.example/", headers: {x-a: "\${{ message.text }}"}}}`;
    const [end] = play(messageReceived({ text: "a\r\nx-b: c" }), rulesetOf(rule(step)));

    expect(end).toMatchObject({ kind: "done", end: { outcome: "failed" } });
  });

  it("fails for a header that HTTP can't transmit, and names the character", () => {
    const step = `{http: {url: "https://t.example/", headers: {title: "\${{ message.text }}"}}}`;
    const [end] = play(messageReceived({ text: "Grüße 🎉" }), rulesetOf(rule(step)));

    expect(end).toMatchObject({
      end: { outcome: "failed", reason: expect.stringMatching(/header title .*"🎉".*url\(…\)/) },
    });
  });

  it("accepts a header with letters of Latin-1", () => {
    expect(problemsOf("{http: {url: 'https://t.example', headers: {title: Grüße\\tan} }}")).toEqual(
      [],
    );
  });

  test.each([
    {
      step: "{http: {url: 'https://t.example', headers: {title: 'Hi 🎉'}}}",
      code: "invalid-value",
    },
    {
      step: '{http: {url: "https://t.example", headers: {title: "a\\nb"}}}',
      code: "invalid-value",
    },
    {
      step: "{http: {url: 'https://t.example', headers: {title: '${{ message.text }} 🎉'}}}",
      code: "invalid-value",
    },
    { step: "{http: {url: t.example}}", code: "http-url" },
    { step: "{http: {url: 'https://${{ url(message.text) }}'}}", code: "http-host" },
    { step: "{http: {url: 'https://${{ message.text }}/'}}", code: "http-host" },
    { step: "{http: {url: '${{ message.text }}'}}", code: "http-host" },
    { step: "{http: {url: '${{ secrets.A }}${{ message.text }}/'}}", code: "http-host" },
    { step: "{http: {url: 'https://a.example${{ message.text }}'}}", code: "http-host" },
    { step: "{http: {url: 'ftp://t.example/'}}", code: "http-url" },
    { step: "{http: {method: POST}}", code: "missing-key" },
    { step: "{http: {method: POTS, url: 'https://a.example'}}", code: "unknown-word" },
    { step: "{http: {url: 'https://a.example', json: {a: 1}}}", code: "body-without-use" },
    {
      step: "{http: {method: PUT, url: 'https://a.example', json: 1, body: a}}",
      code: "two-bodies",
    },
    { step: "{http: {url: 'https://a.example', expect_status: 20}}", code: "invalid-value" },
    { step: bodyStep("a=${{ message.text }}&b=1", FORM), code: "unescaped-value" },
    {
      step: bodyStep("a=${{ url(message.text) }}&b=${{ message.text.lower() }}", FORM),
      code: "unescaped-value",
    },
    { step: bodyStep('{"a": "${{ message.text }}"}', "application/json"), code: "unescaped-value" },
    {
      step: bodyStep('{"a": "${{ url(message.text) }}"}', "application/json"),
      code: "unescaped-value",
    },
  ])("is refused: $step", ({ step, code }) => {
    expect(problemsOf(step).map((problem) => problem.code)).toEqual([code]);
  });
});
