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
