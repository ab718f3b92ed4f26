import { execFileSync } from "node:child_process";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { entry } from "../runtime/store/builders.ts";
import { openSqliteStore } from "../../src/runtime/store/sqlite/sqlite-store.ts";
import { start, run } from "../support/command-line.ts";

const NOBODY = 65_534;
const PRECIOUS = "precious";

let top: string;
const at = (name: string): string => join(top, name);
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "answerback-written-"));
  for (const folder of ["project/config/rules", "shared", "outside"]) {
    await mkdir(at(folder), { recursive: true });
  }
  await chmod(at("shared"), 0o777);
  await writeFile(at("outside/file"), PRECIOUS);
  await writeFile(at("project/config/answerback.yaml"), "version: 1\n");
  await writeFile(
    at("project/config/rules/a.yaml"),
    "version: 1\nrules: [{id: one, triggers: [dm.received], actions: [{reply_dm: hello}]}]\n",
  );
  await writeFile(
    at("project/config/rules/a.test.yaml"),
    `version: 1
rule_files: [a.yaml]
users: {ann: {id: "1"}}
tests: [{name: hello, events: [{at: 0s, dm.received: {from: ann, text: hi}}], expect: [{at: 0s, reply_dm: {}}]}]
`,
  );
});
afterEach(() => rm(top, { recursive: true }));

const project = (...args: readonly string[]) => run(at("project"), ...args);
/** Starts a command, and waits until it is ready or has refused to start. */
async function begun(...args: readonly string[]): Promise<{ code: number; err: string }> {
  const running = start(at("project"), ...args);
  await running.until("base_url").catch(() => undefined);
  return running.end();
}
const outside = (): Promise<string> => readFile(at("outside/file"), "utf8");

/** Commands, each with the name of a file that it writes in the folder `shared`. */
const WRITERS = [
  {
    what: "the report of test",
    name: "report.xml",
    command: () => project("test", "--junit", at("shared/report.xml")),
  },
  {
    what: "the world of sandbox",
    name: "world.journal.1",
    command: () => begun("sandbox", "--port", "0", "--state", at("shared/world")),
  },
  {
    what: "the mark of sandbox",
    name: "world.mark",
    command: () => begun("sandbox", "--port", "0", "--state", at("shared/world")),
  },
  {
    what: "the token of sandbox",
    name: "world.token",
    command: () => begun("sandbox", "--port", "0", "--state", at("shared/world")),
  },
  {
    what: "the console's sessions of sandbox",
    name: "console.json",
    command: () => begun("sandbox", "--port", "0", "--state", at("shared/world")),
  },
  {
    what: "the log of run",
    name: "bot.log",
    command: () => project("run", "--log-file", at("shared/bot.log")),
  },
];

describe.each(WRITERS)("$what", ({ name, command }) => {
  it("replaces no target of a link, and leaves the link", async () => {
    await symlink(at("outside/file"), at(`shared/${name}`));
    const { code, err } = await command();
    expect(code).not.toBe(0);
    expect(err).toMatch(new RegExp(`error: .*${name} is a link`));
    expect(err).toContain("help: ");
    expect(await outside()).toBe(PRECIOUS);
  });

  it("is not written into a file of another user", { tags: ["second-user"] }, async () => {
    await writeFile(at(`shared/${name}`), "");
    await chown(at(`shared/${name}`), NOBODY, NOBODY);
    await command();
    const { uid, size } = await stat(at(`shared/${name}`));
    expect(uid === NOBODY ? size : 0).toBe(0);
  });

  it("waits for no pipe", async () => {
    execFileSync("mkfifo", [at(`shared/${name}`)]);
    expect((await command()).code).not.toBe(0);
  });
});

describe("the world of sandbox", () => {
  it("is saved beside links with the names that it had for unfinished files", async () => {
    for (const name of ["world.next", "world.mark.next"]) {
      await symlink(at("outside/file"), at(`shared/${name}`));
    }
    const { code } = await begun("sandbox", "--port", "0", "--state", at("shared/world"));
    expect(code).toBe(0);
    expect(await outside()).toBe(PRECIOUS);
    expect((await stat(at("shared/world"))).mode & 0o777).toBe(0o600);
  });
});

describe("a backup", () => {
  beforeEach(async () => {
    const store = await openSqliteStore(at("project/data"), {});
    await store.append([entry({ key: "dm:1" })]);
    await store.close();
  });
  const backup = () => project("backup", "--to", at("shared/x.backup"), "--with-key");

  it("is refused in a folder in which nothing can be created", async () => {
    expect(await project("backup", "--to", "/proc/x.backup")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: \/proc\/\S+: no folder can be created here$/m),
    });
  });

  it.each(["x.backup.next", "x.backup.next-journal", "x.backup-journal"])(
    "is made without %s, which another user may have planted",
    async (name) => {
      await symlink(at("outside/file"), at(`shared/${name}`));
      expect(await backup()).toMatchObject({ code: 0 });
      expect(await outside()).toBe(PRECIOUS);
      expect((await readdir(at("shared"))).toSorted()).toEqual(["x.backup", name]);
      expect((await stat(at("shared/x.backup"))).mode & 0o777).toBe(0o600);
    },
  );

  it.each([
    { why: "a link to nothing", plant: () => symlink(at("outside/new"), at("shared/x.backup")) },
    { why: "a link", plant: () => symlink(at("outside/file"), at("shared/x.backup")) },
    { why: "a file", plant: () => writeFile(at("shared/x.backup"), "") },
  ])("takes the place of $why never", async ({ plant }) => {
    await plant();
    expect(await backup()).toMatchObject({
      code: 2,
      err: expect.stringContaining("x.backup already exists"),
    });
    expect(await readdir(at("outside"))).toEqual(["file"]);
    expect(await outside()).toBe(PRECIOUS);
    expect(await readdir(at("shared"))).toEqual(["x.backup"]);
  });
});

describe("a data folder", () => {
  it.each(["store.db", "store.id", "accounts.json"])("has no %s that is a link", async (name) => {
    await mkdir(at("project/data"));
    await symlink(at("outside/new"), at(`project/data/${name}`));
    const { code, err } = await project("run", "--dry-run");
    expect(code).not.toBe(0);
    expect(err).not.toContain("bug:");
    expect(await readdir(at("outside"))).toEqual(["file"]);
  });
});

describe("a project", () => {
  it("gets its schemas through no link", async () => {
    await symlink(at("outside"), at("project/config/schema"));
    const { code, err } = await project("check", "--schema");
    expect(code).not.toBe(0);
    expect(err).toContain("config/schema");
    expect(await readdir(at("outside"))).toEqual(["file"]);
  });

  it("is begun through no link", async () => {
    await mkdir(at("new"));
    await symlink(at("outside"), at("new/config"));
    const { code, err } = await run(at("new"), "init", ".", "--template", "echo", "--force");
    expect(code).not.toBe(0);
    expect(err).toContain("config");
    expect(await readdir(at("outside"))).toEqual(["file"]);
  });
});
