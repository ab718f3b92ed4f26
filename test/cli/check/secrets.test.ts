import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { begin } from "../../support/command-line.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

const SETTINGS = `version: 1
bots: []
console: { listen: "\${{ env.MY_CONSOLE }}" }
rules: [rules/*.yaml]
`;
const rule = (name: string) => `version: 1
rules:
  - id: a
    triggers: [dm.received]
    actions: [{ http: { url: "https://a.example/", headers: { x-key: "\${{ secrets.${name} }}" } } }]
`;

describe("a variable of the environment as a secret of rules", () => {
  it.each([
    { why: "the settings read it too", name: "MY_CONSOLE", codes: ["secret-reserved"] },
    { why: "only rules read it", name: "SHOP_KEY", codes: [] },
  ])("is checked: $why", async ({ name, codes }) => {
    await mkdir(join(folder, "config/rules"), { recursive: true });
    await writeFile(join(folder, "config/answerback.yaml"), SETTINGS);
    await writeFile(join(folder, "config/rules/a.yaml"), rule(name));
    const env = { MY_CONSOLE: "127.0.0.1:8099", SHOP_KEY: "s3cret-of-the-shop" };
    const { out } = await begin({ cwd: folder, env, input: "" }, ["check", "--json"]).ended;
    const problems = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

    expect(
      problems.map(({ code }) => code),
      out,
    ).toEqual(codes);
  });
});
