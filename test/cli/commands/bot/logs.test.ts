import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { botLog } from "../../../../src/cli/dev/bot-log.ts";
import { logTo } from "../../../../src/cli/logs/log-streams.ts";
import { secretMask } from "../../../../src/system/secret-mask.ts";
import { run } from "../../../support/command-line.ts";

it("logs are read across the files that were put aside, and stay within their bound", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-logs-"));
  try {
    const log = logTo({
      io: { err: () => {} },
      logLevel: "silent",
      logFile: botLog(folder),
      growth: { fileBytes: 1_000, files: 4 },
      mask: secretMask(),
    });
    for (let n = 1; n <= 200; n++) log.info({ n }, "one of many");
    const { out } = await run(folder, "logs", "-n", "30", "--json", "--data", folder);

    const shown = out.trim().split("\n");
    const numbers = shown.map((line): number => JSON.parse(line).n);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => 171 + index));
    const all = await run(folder, "logs", "-n", "500", "--json", "--data", folder);
    expect(all.out.length).toBeLessThanOrEqual(4_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});
