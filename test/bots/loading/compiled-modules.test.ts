import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BotHost } from "../../../src/bots/bot-host.ts";
import { startBots } from "../../../src/bots/host.ts";
import { compileModules } from "../../../src/bots/loading/compile-modules.ts";
import type { HandlerOutcome } from "../../../src/bots/messages.ts";
import { messageReceived } from "../../support/events.ts";
import { when } from "../../support/when.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-compiled-"));
});
afterEach(() => rm(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const save = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
};
const ESM = { "package.json": `{"type": "module"}` };
/** A bot that answers with the value of an expression. */
const bot = (
  says: string,
  before = "",
  name = "b",
): string => `import { defineBot } from "answerback";
${before}
export default defineBot({ name: "${name}", on: { "dm.received": async (ctx) => void (await ctx.reply(String(${says}))) } });
`;
const start = async (...names: readonly string[]): Promise<BotHost> => {
  const host = await startBots({ files: names.map(path), patienceMs: 120_000 });
  onTestFinished(() => host.close());
  return host;
};
const answerOf = (host: BotHost, name = "b"): Promise<HandlerOutcome> =>
  host.handle({
    bot: name,
    triggers: ["dm.received"],
    event: messageReceived({ text: "hi" }),
    account: { id: "100", username: "hello_bot" },
    now: 0,
    replayed: false,
    answered: false,
  });
const textOf = ({ actions, error }: HandlerOutcome): string =>
  actions.map((one) => ("text" in one ? one.text : "")).join() || String(error);

describe("a bot module and its imports", () => {
  const GRAPHS = [
    {
      why: "TypeScript that is more than types",
      files: { ...ESM, "b.ts": bot("Kind.B", "enum Kind { A, B }") },
      says: "1",
    },
    {
      why: "an import without its ending, one with that of JavaScript, and JSON",
      files: {
        ...ESM,
        "b.ts": bot(
          "[a, b, c.x, d.x]",
          `import { a } from "./lib/a"; import { b } from "./lib/b.js";
           import c from "./c.json"; import d from "./d.json" with { type: "json" };`,
        ),
        "lib/a.ts": "export const a: number = 1;",
        "lib/b.ts": `import { a } from "./a.ts"; export const b: number = a + 1;`,
        "c.json": `{"x": 3}`,
        "d.json": `{"x": 4}`,
      },
      says: "1,2,3,4",
    },
    {
      why: "an await at its top level, and a dynamic import",
      files: {
        ...ESM,
        "b.ts": bot("x", `const { x } = await import("./x.ts");`),
        "x.ts": "export const x: string = await Promise.resolve('waited');",
      },
      says: "waited",
    },
    {
      why: "JavaScript",
      files: { "b.mjs": bot("1 + 1") },
      says: "2",
    },
    {
      why: "no package.json",
      files: { "b.ts": bot("typeof one", "const one: unknown = 1;") },
      says: "number",
    },
    {
      why: "an import with a computed path",
      files: {
        ...ESM,
        "b.ts": bot("x", `const name = String("x"); const { x } = await import("./lib/" + name);`),
        "lib/x.ts": `import { y } from "./y.js"; export const x: string = y;`,
        "lib/y.ts": "export enum Z { a } export const y: string = 'computed' + Z.a;",
      },
      says: "computed0",
    },
    {
      why: "a call of require()",
      files: { "b.ts": bot("x", `const x: string = require("node:path").basename("/a/b");`) },
      says: "b",
      isLoaded: true,
    },
    {
      why: "an import of a .cts file",
      files: {
        ...ESM,
        "b.ts": bot("x.x", `import x from "./x.cts";`),
        "x.cts": "const x: number = 1; module.exports = { x };",
      },
      says: "1",
      isLoaded: true,
    },
    {
      why: "__dirname",
      files: { "b.ts": bot("__dirname.length > 0") },
      says: "true",
      isLoaded: true,
    },
    {
      why: "a package, imported from what is CommonJS to Node",
      files: {
        "b.ts": bot("x", `import x from "compiled-package";`),
        "node_modules/compiled-package/package.json": `{"main": "main.js"}`,
        "node_modules/compiled-package/main.js": `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 7;`,
      },
      says: "7",
      isLoaded: true,
    },
  ];

  it.each(GRAPHS)("run with $why", async ({ files, says }) => {
    await save(files);

    const host = await start(Object.keys(files).find((name) => name.startsWith("b.")) ?? "");

    expect(host.faults).toEqual([]);
    expect(textOf(await answerOf(host))).toBe(says);
  });

  it.each(GRAPHS)(
    "are compiled ahead, or need the loader: $why",
    async ({ files, isLoaded = false }) => {
      await save(files);
      const file = Object.keys(files).find((name) => name.startsWith("b.")) ?? "";

      expect((await compileModules([path(file)])) === undefined).toBe(isLoaded);
    },
  );

  it("need the loader if their tsconfig.json has special settings", async () => {
    const withPaths = fileURLToPath(new URL("../../fixtures/bots/forgetful.ts", import.meta.url));

    expect(await compileModules([withPaths])).toBeUndefined();
  });

  it("know their own place, and so do their errors", async () => {
    await save({
      ...ESM,
      "b.ts": bot("here", `import { here } from "./x.ts";`),
      "x.ts": "export const here: string = import.meta.url;",
      "fails.ts": bot(
        "fail()",
        "interface Unused {\n  readonly x: string;\n}\nfunction fail(): never { throw new Error('no'); }",
        "fails",
      ),
    });

    const host = await start("b.ts", "fails.ts");

    expect(textOf(await answerOf(host))).toBe(pathToFileURL(path("x.ts")).href);
    const { error } = await answerOf(host, "fails");
    expect(error).toBe(`Error: no\n    at ${path("fails.ts")}:5:32`);
  });
});

it("finds the line at which a bot blocks its thread", async () => {
  await save({
    ...ESM,
    "b.ts": bot(
      "spin()",
      "interface Unused {\n  readonly x: string;\n}\nfunction spin(): never { for (;;) Math.random(); }",
    ),
  });
  const host = await startBots({ files: [path("b.ts")], patienceMs: 120_000, stallMs: 700 });
  onTestFinished(() => host.close());

  expect((await answerOf(host)).error).toContain("no turn");

  const trouble = await when(() => host.trouble("b"));
  expect(trouble.place).toContain(`${path("b.ts")}:5:`);
});

describe("a module that can't be compiled", () => {
  it("is reported with file, line and column, and the others run", async () => {
    await save({
      ...ESM,
      "b.ts": bot("1"),
      "broken.ts": `import "./lib.ts";\n${bot("2", "", "broken")}`,
      "lib.ts": "export const a = {\n  b: ,\n};\n",
    });

    const host = await start("b.ts", "broken.ts");

    expect(host.bots.map(({ name }) => name)).toEqual(["b"]);
    expect(host.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${path("lib.ts")}:2:5: ERROR: Unexpected ","`),
    ]);
  });

  it("is reported with file, line and column if its path is computed", async () => {
    await save({
      ...ESM,
      "b.ts": bot("1", `const name = String("./x.ts"); await import(name);`),
      "x.ts": "export const a = {\n  b: ,\n};\n",
    });

    const host = await start("b.ts");

    expect(host.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${path("x.ts")}:2:5: ERROR: Unexpected ","`),
    ]);
  });

  it("gets a hint with the correction if its path is computed", async () => {
    await save({
      ...ESM,
      "b.ts": bot("1", `const name = String("./x.cts"); await import(name);`),
      "x.cts": "module.exports = 1;",
    });

    const host = await start("b.ts");

    expect(host.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        `${path("x.cts")} is CommonJS and is imported with a computed path; rename it to .ts and write import and export in it`,
      ),
    ]);
  });
});

describe("a compiled graph", () => {
  const files = {
    ...ESM,
    "b.ts": bot("x", `import { x } from "./x.ts";`),
    "x.ts": "export const x: string = 'before';",
  };

  it("is compiled again only if one of its files has changed", async () => {
    await save(files);
    const url = pathToFileURL(path("b.ts")).href;
    const importsOf = async () => (await compileModules([path("b.ts")]))?.imports[url];
    const before = await importsOf();

    expect(before).toEqual({ "./x.ts": pathToFileURL(path("x.ts")).href });
    expect(await importsOf()).toBe(before);
    await save({ "x.ts": "export const x: string = 'after';" });
    expect(await importsOf()).not.toBe(before);
  });

  it("is new after a reload if an imported module has changed", async () => {
    await save(files);
    const host = await start("b.ts");
    expect(textOf(await answerOf(host))).toBe("before");
    await save({ "x.ts": "export const x: string = 'after';" });

    await host.reload([path("b.ts")]);

    expect(textOf(await answerOf(host))).toBe("after");
  });
});
