import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runningDev, type RunningDev } from "../cli/support/running-dev.ts";
import { begin, type Running } from "../support/command-line.ts";
import { FREE_PORTS } from "../support/own-address.ts";

/** Starts `dev` with the data folder `data`; resolves when the bot is ready. */
async function devWith(folder: string, data: string): Promise<Running> {
  const dev = begin({ cwd: folder, env: FREE_PORTS }, ["dev", "--data", data]);
  await dev.until("Try, in another terminal");
  return dev;
}

/** Ways in which a project's sandbox was used before the backup. Each ends with `dev` running on `data`. */
const USES: readonly {
  readonly why: string;
  readonly use: (project: RunningDev) => Promise<Running>;
}[] = [
  { why: "has just begun", use: async ({ running }) => running },
  {
    why: "was stopped and used again",
    async use(project) {
      await project.run("send", "@ana", "earlier");
      await project.running.end();
      return devWith(project.folder, "data");
    },
  },
  {
    why: "went back to a snapshot",
    async use(project) {
      await project.run("snapshot", "save", "s1");
      await project.run("send", "@ana", "not in the snapshot");
      expect((await project.run("snapshot", "restore", "s1")).code).toBe(0);
      return project.running;
    },
  },
];

describe("a backup under a running dev", () => {
  it.each(USES)("brings back a sandbox that $why", async ({ use }) => {
    const project = await runningDev();
    const { folder } = project;
    const before = await use(project);
    await project.run("send", "@carla", "hello");
    const world = await project.rows("dm", "list");

    const backup = await project.run("backup", "--to", "x.backup");
    const early = await project.run("restore", "x.backup");
    await before.end();
    await mkdir(join(folder, "new"), { mode: 0o700 });
    await copyFile(join(folder, "data", "key"), join(folder, "new", "key"));
    const restored = await project.run("restore", "x.backup", "--data", "new");
    const after = await devWith(folder, "new");
    const asBefore = await project.rows("dm", "list", "--data", "new");
    const sent = await project.run("send", "@carla", "hello again", "--data", "new");
    const verified = await project.run("verify", "--data", "new");
    await after.end();
    await project.close();

    expect(backup).toMatchObject({ code: 0, out: expect.stringContaining("the sandbox's world") });
    expect(early).toMatchObject({ code: 2, err: expect.stringMatching(/the sandbox of .* runs/) });
    expect(restored.code).toBe(0);
    expect(world).not.toEqual([]);
    expect(asBefore).toEqual(world);
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining("hello_bot") });
    expect(verified).toMatchObject({ code: 0 });
  });
});
