import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type Lab, startLab } from "../../src/testing/index.ts";

let lab: Lab;
afterEach(() => lab.stop());

/** Starts a lab with the bot of a fixture. */
const withBot = async (name: string) => {
  const file = fileURLToPath(new URL(`../fixtures/bots/${name}.ts`, import.meta.url));
  lab = await startLab({ settings: { bots: [file] }, environment: {} });
  return lab.person("ana");
};

describe("a handler that ends while its steps are running", () => {
  it("is answered, and leaves no open run", async () => {
    const ana = await withBot("steps-at-once");

    expect(await ana.says("/race")).toEqual(["raced"]);
    expect(await ana.says("/fail")).toEqual(["begun"]);
    expect(await ana.says("/forget")).toEqual([]);
    expect((await lab.runtime.status()).store.runs).toEqual({ ready: 0, waiting: 0 });
  });
});

describe("an error of a step", () => {
  it("is the same when the handler runs again after a wait", async () => {
    const ana = await withBot("throws-in-steps");
    const cases = {
      own: "Declined (Error): the card was declined no_funds",
      type: "TypeError (TypeError): not a number because of behind it",
      timeout: "TimeoutError (DOMException): too slow 23",
      all: "AggregateError (AggregateError): all failed of RangeError: one and two",
      thread: "go on after 2 with three",
      data: '{"code":42}',
      text: '"plain text"',
    };

    for (const [name, description] of Object.entries(cases)) {
      expect(await ana.says(`/throw ${name}`)).toEqual([description]);
      expect(await lab.advance("1m")).toMatchObject([{ text: `again ${description}` }]);
    }
  });
});

describe("a question with an invalid condition", () => {
  it("is not sent, because its answer would reach nobody", async () => {
    const ana = await withBot("asks-wrongly");

    expect(await ana.says("/ask")).toEqual([
      "begun",
      expect.stringMatching(/^TypeError: the where of "size" can't be: message has no field "txt"/),
    ]);
  });
});
