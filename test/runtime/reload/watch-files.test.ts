import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { systemWatch, watchFiles } from "../../../src/runtime/reload/watch-files.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { when } from "../../support/when.ts";

const log = openLog({ level: "silent" });
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watch-"));
  await mkdir(join(folder, "rules", "more"), { recursive: true });
  await writeFile(join(folder, "rules", "more", "a.yaml"), "");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("reports several changes once, and reads new folders", async () => {
  const watched: (readonly string[])[] = [];
  let change = (): void => {};
  let changes = 0;
  const stop = await watchFiles(
    { globs: [join(folder, "rules/**/*.yaml")] },
    (folders, onChange) => {
      watched.push(folders);
      change = onChange;
      return () => {};
    },
    async () => (changes += 1),
    log,
  );
  await mkdir(join(folder, "rules", "new"));
  await writeFile(join(folder, "rules", "new", "b.yaml"), "");
  for (let times = 0; times < 5; times++) change();
  await when(async () => (watched.length === 2 ? true : undefined));
  stop();

  expect(changes).toBe(1);
  const rules = join(folder, "rules");
  expect(watched).toEqual([
    [rules, join(rules, "more")],
    [rules, join(rules, "more"), join(rules, "new")],
  ]);
});

it("is notified of a saved file by the operating system", async () => {
  let changes = 0;
  const stop = await watchFiles(
    { globs: [join(folder, "rules/**/*.yaml")] },
    systemWatch(() => {}),
    async () => (changes += 1),
    log,
  );
  await writeFile(join(folder, "rules", "more", "a.yaml"), "version: 1");
  await when(async () => (changes > 0 ? true : undefined));
  stop();

  expect(changes).toBe(1);
});

it("reports a folder that can't be watched", () => {
  const failed: string[] = [];
  systemWatch((_, name) => failed.push(name))([join(folder, "gone")], () => {})();

  expect(failed).toEqual([join(folder, "gone")]);
});

it("notices a folder that is created later, and the files in it", async () => {
  const failed: string[] = [];
  let changes = 0;
  const stop = await watchFiles(
    { globs: [join(folder, "config/bots/*.ts")] },
    systemWatch((_, name) => failed.push(name)),
    async () => (changes += 1),
    log,
  );
  await mkdir(join(folder, "config", "bots"), { recursive: true });
  await when(async () => (changes > 0 ? true : undefined));
  const before = changes;
  await writeFile(join(folder, "config", "bots", "a.ts"), "");
  await when(async () => (changes > before ? true : undefined));
  stop();

  expect(failed).toEqual([]);
});

it("watches the files that the rules name", async () => {
  const list = join(folder, "lists", "staff.txt");
  await mkdir(join(folder, "lists"));
  await writeFile(list, "200");
  let changes = 0;
  const stop = await watchFiles(
    { globs: [join(folder, "rules/**/*.yaml")], others: async () => [list] },
    systemWatch(() => {}),
    async () => (changes += 1),
    log,
  );
  await writeFile(list, "201");
  await when(async () => (changes > 0 ? true : undefined));
  stop();

  expect(changes).toBe(1);
});

describe("a reload", () => {
  const FULL = new StoreError("store-full", "the disk is full");
  const SETTLED_MS = 100;
  const AGAIN_MS = 1_000;

  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Watches with a reload that ends with these errors, one after the other, and then succeeds. */
  async function watching(...errors: readonly Error[]) {
    let change = (): void => {};
    let reloads = 0;
    const reports: string[] = [];
    const stop = await watchFiles(
      { globs: [join(folder, "rules/**/*.yaml")] },
      (_, onChange) => {
        change = onChange;
        return () => {};
      },
      async () => {
        const error = errors[reloads];
        reloads += 1;
        if (error !== undefined) throw error;
      },
      openLog({
        level: "warn",
        destination: { write: (line: string) => void reports.push(JSON.parse(line).msg) },
      }),
    );
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    return { change: () => change(), stop, pass, reports, reloads: () => reloads };
  }

  it("comes within two seconds while a program writes into the folder all the time", async () => {
    const watch = await watching();
    for (let ms = 0; ms < 2_100; ms += 50) {
      watch.change();
      await watch.pass(50);
    }
    watch.stop();

    expect(watch.reloads()).toBe(1);
  });

  it("that fails is repeated until the store works, and reported once", async () => {
    const watch = await watching(FULL, FULL);
    watch.change();
    await watch.pass(SETTLED_MS + 5 * AGAIN_MS);
    watch.stop();

    expect(watch.reloads()).toBe(3);
    expect(watch.reports).toEqual(["the changed files are reloaded once the store works again"]);
  });

  it("that fails is not repeated if the store is not the cause", async () => {
    const watch = await watching(new Error("a file can't be read"));
    watch.change();
    await watch.pass(SETTLED_MS + 5 * AGAIN_MS);
    watch.stop();

    expect(watch.reloads()).toBe(1);
    expect(watch.reports).toEqual(["the changed files could not be reloaded"]);
  });

  it("that fails is replaced by the reload of a newer change", async () => {
    const watch = await watching(FULL);
    watch.change();
    await watch.pass(SETTLED_MS);
    watch.change();
    await watch.pass(SETTLED_MS + 5 * AGAIN_MS);
    watch.stop();

    expect(watch.reloads()).toBe(2);
  });

  it("that fails is not repeated after the end of the watch", async () => {
    const watch = await watching(FULL);
    watch.change();
    await watch.pass(SETTLED_MS);
    watch.stop();
    await watch.pass(5 * AGAIN_MS);

    expect(watch.reloads()).toBe(1);
    expect(watch.reports).toEqual(["the changed files are reloaded once the store works again"]);
  });
});
