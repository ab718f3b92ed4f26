import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startBots } from "../../src/bots/host.ts";

it.each([
  { why: "what bots are made of", names: "defineBot" },
  { why: "more of it", names: "createClient, defineBot" },
])(
  "loads a bot that imports $why from a project that this package is not installed in",
  async ({ names }) => {
    const folder = await mkdtemp(join(tmpdir(), "answerback-bot-"));
    await writeFile(join(folder, "package.json"), `{"type": "module"}`);
    const file = join(folder, "greeter.ts");
    await writeFile(
      file,
      `import { ${names} } from "answerback";
       export default defineBot({ name: "greeter", on: { "dm.received": () => {} } });`,
    );
    const said: string[] = [];

    const host = await startBots({
      patienceMs: 120_000,
      files: [file],
      onLog: ({ message }) => said.push(message),
    });

    expect(host.faults).toEqual([]);
    expect(host.bots.map(({ name }) => name)).toEqual(["greeter"]);
    await host.close();
    expect(said).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  },
);
