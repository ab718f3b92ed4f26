import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { expect, it } from "vitest";
import { botLog } from "../../../../src/cli/dev/bot-log.ts";
import { logTo } from "../../../../src/cli/logs/log-streams.ts";
import { secretMask } from "../../../../src/system/secrets/secret-mask.ts";
import { run, start } from "../../../support/command-line.ts";

it("logs are read across the files that were put aside, and stay within their bound", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-logs-"));
  try {
    const log = logTo({
      io: { err: () => {}, colors: pc.createColors(false) },
      logLevel: "silent",
      logFormat: "json",
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

it("logs names the file to which the bot has to write them, and where else they are", async () => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-logs-"));
  try {
    const { code, err } = await run(folder, "logs", "--data", folder);

    expect(code).toBe(5);
    expect(err).toContain(`answerback run --data ${folder} --log-file ${botLog(folder)}`);
    expect(err).toContain("journalctl -u answerback");
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  { logFormat: "text", shown: /^\S+Z warn {2}a \\u001b\[2J message n=1\n$/, why: "people read it" },
  { logFormat: "json", shown: /^\{"level":40,.*"n":1,"msg":".*"\}\n$/, why: "programs do" },
] as const)("stderr gets the log as $logFormat, the file as JSON: $why", async (line) => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-logs-"));
  try {
    const logFile = botLog(folder);
    let said = "";
    const log = logTo({
      io: { err: (text) => void (said += text), colors: pc.createColors(false) },
      logLevel: "warn",
      logFormat: line.logFormat,
      logFile,
      growth: { fileBytes: 1_000_000, files: 2 },
      mask: secretMask(),
    });
    log.info("not so severe");
    log.warn({ n: 1 }, "a \u001B[2J message");

    expect(said).toMatch(line.shown);
    expect((await readFile(logFile, "utf8")).split("\n").map((line) => line.slice(0, 11))).toEqual([
      '{"level":30',
      '{"level":40',
      "",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  {
    flags: ["-n", "0"],
    sign: "Following",
    err: /^Following \S+bot\.log; press Ctrl-C to stop\.\n$/,
  },
  { flags: ["-n", "1", "--json"], sign: "already there", err: /^$/ },
])("logs -f $flags shows what is logged once it follows", async ({ flags, sign, err }) => {
  const folder = await mkdtemp(join(tmpdir(), "answerback-logs-"));
  try {
    const line = (msg: string): string =>
      `${JSON.stringify({ level: 30, time: "2026-01-01T00:00:00Z", msg })}\n`;
    await writeFile(botLog(folder), line("already there"));
    const following = start(folder, "logs", "-f", ...flags, "--data", folder);
    await following.until(sign);
    await appendFile(botLog(folder), line("logged after that"));
    await following.until("logged after that");

    const ended = await following.end();
    expect(ended.code).toBe(0);
    expect(ended.err).toMatch(err);
  } finally {
    await rm(folder, { recursive: true });
  }
});
