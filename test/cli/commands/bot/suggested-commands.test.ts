import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { begin } from "../../../support/command-line.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "answerback-suggested-"));
  await mkdir(join(cwd, "config"));
  const settings =
    "version: 1\ntarget: live\nplatform: { base_url: http://127.0.0.1:9 }\nsource: polling\n";
  await writeFile(join(cwd, "config/live.yaml"), settings);
  await writeFile(join(cwd, "config/other.yaml"), settings);
});
afterEach(() => rm(cwd, { recursive: true }));

const env = {
  ANSWERBACK_APP_CONSUMER_KEY: "key",
  ANSWERBACK_APP_CONSUMER_SECRET: "secret",
  ANSWERBACK_APP_BEARER_TOKEN: "token",
};

test.each([
  { args: ["open"], suggests: "answerback run" },
  { args: ["open", "--sessions"], suggests: "answerback run" },
  { args: ["open", "--revoke"], suggests: "answerback run" },
  { args: ["dm", "list"], suggests: "answerback login" },
  { args: ["dm", "list", "--as", "@shop"], suggests: "answerback login" },
  { args: ["accounts", "list"], suggests: "answerback login" },
])("$args suggests a command with the same settings file", async ({ args, suggests }) => {
  const live = await begin({ cwd, env }, [...args, "--live"]).ended;
  const other = await begin({ cwd, env }, [...args, "--config", "config/other.yaml"]).ended;

  expect(live.err).toContain(`${suggests} --live`);
  expect(other.err).toContain(`${suggests} --config config/other.yaml`);
});
