import { expect, it } from "vitest";
import { refusalOf } from "../../../src/client/http/problem.ts";
import { sendingOf } from "../../../src/runtime/outbox/perform.ts";

const refused = (body: unknown) =>
  refusalOf(body, {
    endpoint: "POST /2/posts",
    status: 403,
    headers: {},
    safe: false,
    afterUnknown: false,
    redact: (text) => text,
  });

it.each([
  [
    "a web page of a CDN",
    "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
  ],
  ["a firewall's page", "<html><body><h1>403 Forbidden</h1></body></html>"],
  ["a firewall's text", "error code: 1020"],
  ["a proxy's text", "RBAC: access denied"],
  ["no reason", ""],
])("a refusal does not end the action if its body is %s", (_, body) => {
  expect(sendingOf(refused(body))).toMatchObject({ kind: "not-now" });
});

it.each([
  ["a problem", { title: "Forbidden", type: "about:blank", detail: "Duplicate content." }],
  ["errors", { errors: [{ code: 187, message: "Status is a duplicate." }] }],
])("a refusal ends the action if its body has %s of the platform", (_, body) => {
  expect(sendingOf(refused(body))).toMatchObject({ kind: "refused" });
});

it.each([
  "To protect our users from spam and other malicious activity, this account is temporarily locked.",
  "You have reached your daily limit for sending Tweets and messages. Please try again later.",
  "User is over daily status update limit.",
  "Your account is not permitted to access this feature.",
])(
  "a refusal does not end the action if it will end by itself or by the operator: %s",
  (detail) => {
    const problem = { title: "Forbidden", type: "about:blank", detail };

    expect(sendingOf(refused(problem))).toMatchObject({ kind: "not-now" });
  },
);
