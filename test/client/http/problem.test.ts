import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../src/client/http/problem.ts";

function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  const redact = (text: string) => text;
  const context = {
    endpoint: "POST /x",
    status,
    headers,
    safe: false,
    afterUnknown: false,
    redact,
  };
  return refusalOf(body, context);
}

describe("a refusal", () => {
  const cases = [
    {
      why: "webhooks tell a reason before the colon",
      status: 400,
      body: {
        errors: [{ message: "DuplicateSubscriptionFailed: Subscription already exists" }],
        title: "Invalid Request",
        detail: "One or more parameters to your request was invalid.",
        type: "https://api.example.com/2/problems/invalid-request",
      },
      fields: { reason: "DuplicateSubscriptionFailed", problem: "invalid-request" },
      message:
        "POST /x was refused with 400: DuplicateSubscriptionFailed: Subscription already exists",
    },
    {
      why: "the data interface tells a problem",
      status: 403,
      body: { title: "Forbidden", detail: "Duplicate content.", type: "about:blank", status: 403 },
      fields: { reason: undefined, problem: undefined, refusal: { title: "Forbidden" } },
      message: "POST /x was refused with 403: Duplicate content.",
    },
    {
      why: "a parameter's fault is no reason",
      status: 400,
      body: {
        errors: [
          { parameters: { id: ["x"] }, message: "The `id` query parameter value [x] is not valid" },
        ],
      },
      fields: { reason: undefined },
      message: "POST /x was refused with 400: The `id` query parameter value [x] is not valid",
    },
    {
      why: "the 1.1 interface tells a number",
      status: 401,
      body: { errors: [{ code: 89, message: "Invalid or expired token." }] },
      fields: { refusal: { v1Code: 89, adsCode: undefined } },
      message: "POST /x was refused with 401: Invalid or expired token.",
    },
    {
      why: "advertising tells a word",
      status: 404,
      body: { errors: [{ code: "NOT_FOUND", message: "no such tag" }], request: { params: {} } },
      fields: { notFound: true, refusal: { adsCode: "NOT_FOUND", v1Code: undefined } },
      message: "POST /x was refused with 404: no such tag",
    },
    {
      why: "OAuth 2.0 tells an error and its description",
      status: 400,
      body: { error: "invalid_request", error_description: "Bad code." },
      fields: { refusal: { title: "invalid_request", detail: "Bad code." } },
      message: "POST /x was refused with 400: Bad code.",
    },
    {
      why: "log-in steps answer plain text",
      status: 401,
      body: "Request token missing",
      fields: { refusal: { detail: "Request token missing" } },
      message: "POST /x was refused with 401: Request token missing",
    },
    {
      why: "a proxy answers a web page: by its title",
      status: 403,
      body: "<!DOCTYPE html>\n<html><head>\n<title>Attention Required!\n | Cloudflare</title></head></html>",
      fields: {
        isFromProxy: true,
        refusal: { detail: "Attention Required! | Cloudflare" },
        hint: expect.stringContaining("firewall"),
      },
      message: "POST /x was refused with 403: Attention Required! | Cloudflare",
    },
    {
      why: "the log-in flow answers XML",
      status: 403,
      body: `<?xml version="1.0" encoding="UTF-8"?><hash>
        <error>Callback URL not approved for this client application.</error>
        <request>/oauth/request_token</request></hash>`,
      fields: { refusal: { v1Code: 415 }, hint: expect.stringContaining("callback allowlist") },
      message:
        "POST /x was refused with 403: Callback URL not approved for this client application.",
    },
    {
      why: "a proxy answers nothing",
      status: 502,
      body: "",
      fields: { executed: "unknown" },
      message: "POST /x was refused with 502",
    },
  ];
  it.each(cases)("is read where $why", ({ status, body, fields, message }) => {
    const error = read(status, body);
    expect(error).toMatchObject(fields);
    expect(error.message).toBe(message);
  });

  const window = {
    "x-rate-limit-limit": "450",
    "x-rate-limit-remaining": "449",
    "x-rate-limit-reset": "1900000000",
  };
  const capped = {
    title: "UsageCapExceeded",
    type: "https://api.example.com/2/problems/usage-capped",
  };

  it("at the monthly post cap is not retried, and has no time for a retry", () => {
    expect(read(429, capped, window)).toMatchObject({
      code: "rate-limited",
      problem: "usage-capped",
      retryable: false,
      resetAt: undefined,
      hint: expect.stringContaining("monthly post cap"),
    });
  });

  it("at a rate limit is retried after the window's reset", () => {
    expect(read(429, { title: "Too Many Requests", type: "about:blank" }, window)).toMatchObject({
      retryable: true,
      resetAt: 1_900_000_000_000,
      hint: undefined,
    });
  });

  it.each([
    { headers: { "x-access-level": "read" }, level: "read" },
    { headers: {}, level: "too low" },
  ])("for a token's permission level, $level, explains what to do", ({ headers, level }) => {
    const type = "https://api.example.com/2/problems/oauth1-permissions";
    const error = read(403, { title: "Forbidden", type }, headers);
    expect(error.hint).toBe(
      `the token's permission level is ${level}: raise the app's if it is as low, then issue the token again`,
    );
  });
});
