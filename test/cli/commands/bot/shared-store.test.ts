import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { begin } from "../../../support/command-line.ts";

const SHOWN = "postgres://bot@127.0.0.1:1/answerback";

describe("a store in a database", () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), "shared-store-"));
    await mkdir(join(cwd, "config"));
    await writeFile(
      join(cwd, "config/answerback.yaml"),
      "version: 1\nstore: ${{ env.DATABASE_URL }}\n",
    );
    await writeFile(
      join(cwd, ".env"),
      "DATABASE_URL=postgres://bot:hunter2-hunter2@127.0.0.1:1/answerback\n",
    );
  });
  const run = (...args: readonly string[]) => begin({ cwd }, args).ended;

  it.each([
    { args: ["backup"], tool: "back it up with PostgreSQL's own tool, pg_dump", code: 2 },
    { args: ["backup"], tool: "help: run: pg_dump --format=custom", code: 2 },
    {
      args: ["restore", "some.backup"],
      tool: "restore it with PostgreSQL's own tool, pg_restore",
      code: 2,
    },
    {
      args: ["restore", "some.backup"],
      tool: "help: stop every process that uses it, then run as the owner of its tables: pg_restore --clean",
      code: 2,
    },
    { args: ["dev", "--fresh"], tool: "answerback dev --ephemeral", code: 2 },
  ])("is left to other tools: $args, $tool", async ({ args, tool, code }) => {
    const { err, out, code: ended } = await run(...args);

    expect(ended).toBe(code);
    expect(err).toContain(SHOWN);
    expect(err).toContain(tool);
    expect(out + err).not.toContain("hunter2");
  });

  it.each([
    { args: ["status"] },
    { args: ["journal"] },
    { args: ["outbox"] },
    { args: ["coverage"] },
    { args: ["why", "last"] },
    { args: ["doctor"] },
    { args: ["check"] },
  ])("never shows its password: $args", async ({ args }) => {
    const { err, out } = await run(...args);

    expect(out + err).not.toBe("");
    expect(out + err).not.toContain("hunter2");
    expect(out + err).not.toContain("has no store");
  });
});
