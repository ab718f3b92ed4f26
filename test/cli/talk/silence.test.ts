import { expect, it } from "vitest";
import { silenceInWords } from "../../../src/cli/talk/silence.ts";

it("a bot that does not run is the reason, with how to start it", () => {
  const said = { kind: "dm", account: "1", person: "2", keyBegins: "message:3" } as const;
  const course = { runs: [], items: [] };

  expect(silenceInWords({ said, course, bot: "hello_bot", waitedMs: 1_000 })).toBe(
    "the bot does not run; start it with: answerback dev",
  );
});
