import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startBots } from "../../src/bots/host.ts";

it("loads a bot from a project that this package is not installed in", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-bot-"));
  await writeFile(join(folder, "package.json"), `{"type": "module"}`);
  const file = join(folder, "greeter.ts");
  await writeFile(
    file,
    `import { defineBot } from "answerback";
     export default defineBot({ name: "greeter", on: { "dm.received": () => {} } });`,
  );

  const host = await startBots({ patienceMs: 120_000, files: [file] });

  expect(host.faults).toEqual([]);
  expect(host.bots.map(({ name }) => name)).toEqual(["greeter"]);
  await host.close();
  await rm(folder, { recursive: true, force: true });
});
