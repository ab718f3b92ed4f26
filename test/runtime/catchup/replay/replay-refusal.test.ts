import { describe, expect, it } from "vitest";
import { UnreachableError } from "../../../../src/client/errors.ts";
import {
  refusalText,
  refusesReplay,
  saysUnreachable,
} from "../../../../src/runtime/catchup/replay/replay-refusal.ts";
import { refused } from "../support/refused.ts";

describe("a refusal of a replay", () => {
  it.each([
    ["403", refused(403)],
    ["404 for the path", refused(404)],
    ["410", refused(410)],
    ["an app outside the plan", refused(403, { type: "https://x.example/client-forbidden" })],
    ["that, whatever its status", refused(400, { type: "https://x.example/client-forbidden" })],
    ["a reason that nobody knows", refused(403, { reason: "SomethingFailed" })],
    ["a problem that nobody knows", refused(403, { type: "https://x.example/something" })],
    ["a code of something else", refused(404, { v1Code: 34 })],
  ])("means that the app has no replays: %s", (_, error) => {
    expect(refusesReplay(error)).toBe(true);
  });

  it.each([
    ["a conflict", refused(409, { reason: "ReplayConflictError" })],
    ["a failed challenge", refused(403, { reason: "CrcValidationFailed" })],
    ["a webhook that is gone", refused(404, { reason: "WebhookIdInvalid" })],
    ["a conflict, whatever its status", refused(403, { reason: "ReplayConflictError" })],
    ["wrong dates", refused(400, { reason: "QueryParamInvalid" })],
    ["wrong dates, whatever their status", refused(404, { reason: "QueryParamInvalid" })],
    ["a limit", refused(429)],
    ["a page of a firewall", refused(403, { detail: "Just a moment..." })],
    ["a proxy's text", refused(404, { detail: "no healthy upstream" })],
    ["a platform that is down", refused(503)],
    ["keys that are wrong", refused(401)],
    ["keys that may not", refused(403, { type: "https://x.example/oauth1-permissions" })],
    [
      "keys of another kind",
      refused(403, { type: "https://x.example/unsupported-authentication" }),
    ],
    ["an account that is suspended", refused(403, { v1Code: 64 })],
    ["an account that is locked", refused(403, { v1Code: 326 })],
    ["an app that is suspended", refused(403, { v1Code: 416 })],
    ["a suspension in words", refused(403, { detail: "This application has been suspended." })],
    [
      "a suspension in words, in the form of other problems",
      refused(403, {
        title: "Forbidden",
        detail: "Your account is suspended.",
        type: "about:blank",
      }),
    ],
    ["a locked account in words", refused(403, { title: "Account Locked", type: "about:blank" })],
    [
      "a platform out of reach",
      new UnreachableError("no answer", {
        endpoint: "",
        sent: "no",
        ended: "timeout",
        safe: false,
      }),
    ],
  ])("is temporary, and the replay is requested again: %s", (_, error) => {
    expect(refusesReplay(error)).toBe(false);
  });

  it.each([
    ["a failed challenge", refused(403, { reason: "CrcValidationFailed" })],
    ["a webhook that is gone", refused(404, { reason: "WebhookIdInvalid" })],
    ["a failed challenge in words", refused(403, { detail: "Non-200 response during CRC GET" })],
  ])("means that the platform can't reach the webhook, and is temporary: %s", (_, error) => {
    expect(saysUnreachable(error)).toBe(true);
    expect(refusesReplay(error)).toBe(false);
  });

  it.each([
    ["a conflict", refused(409, { reason: "ReplayConflictError" })],
    ["wrong dates", refused(400, { reason: "QueryParamInvalid" })],
    ["a limit", refused(429)],
    ["a platform that is down", refused(503)],
    ["an app that is not replayed for", refused(403)],
    ["no refusal at all", new Error("CRC")],
  ])("has no meaning for the webhook: %s", (_, error) => {
    expect(saysUnreachable(error)).toBe(false);
  });
});

describe("the text of a refusal", () => {
  it("says that another replay is running, or quotes the platform", () => {
    const conflict = refused(409, { reason: "ReplayConflictError" });

    expect(refusalText(conflict)).toBe("another replay of this webhook is still running");
    expect(refusalText(refused(403))).toContain("refused");
    expect(refusalText(new Error("no answer"))).toBe("no answer");
  });
});
