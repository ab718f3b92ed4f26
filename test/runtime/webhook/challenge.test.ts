import { expect, it } from "vitest";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";

it.each(["abc", "a{b}", "x[1]", "a?crc_token=b", "0"])(
  "a challenge with %s is answered",
  (token) => {
    expect(answerChallenge(token, "secret")).toEqual({
      ok: true,
      body: { response_token: signatureOf(token, "secret") },
    });
  },
);

it.each([
  { token: null, message: "query parameter crc_token" },
  { token: "", message: "query parameter crc_token" },
  { token: '{"a":1}', message: "reads as JSON" },
  { token: "[1]", message: "reads as JSON" },
  { token: '\n\t {"a":1}', message: "reads as JSON" },
  { token: "crc_token=a", message: "challenge's query" },
  { token: "x=1&crc_token=a", message: "challenge's query" },
])(
  "a challenge with $token is refused: its signature would be that of something else",
  ({ token, message }) => {
    expect(answerChallenge(token, "secret")).toEqual({
      ok: false,
      message: expect.stringContaining(message),
    });
  },
);
