import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { isAuthors, placeInStack, withoutOurFrames } from "../../../src/bots/watching/places.ts";

const PATHS: readonly { readonly why: string; readonly path: string }[] = [
  { why: "nothing special", path: "/srv/bots/dice.ts" },
  { why: "spaces", path: "/home/me/my bots/the dice.ts" },
  { why: "parentheses", path: "/home/me/bots(2)/(old)/dice.ts" },
  { why: "spaces and parentheses", path: "/home/me/my bots (2)/dice (1).ts" },
  { why: "an open parenthesis at the end of a folder's name", path: "/home/me/bots (/dice.ts" },
  { why: "quotes and a dollar sign", path: "/home/it's $HOME/dice.ts" },
  { why: "letters of other scripts", path: "/home/größe/日本/🙂.ts" },
  { why: "signs that URLs encode", path: "/home/100%/#1 ?/dice.ts" },
  { why: "colons and numbers", path: "/home/a:1:2/dice.ts" },
  { why: "the word at", path: "/home/look at me/dice.ts" },
  { why: "a name like that of packages", path: "/home/my_node_modules/dice.ts" },
];
const FRAMES: readonly ((where: string) => string)[] = [
  (where) => `    at ${where}`,
  (where) => `    at async ${where}`,
  (where) => `    at roll (${where})`,
  (where) => `    at async roll (${where})`,
  (where) => `    at async Promise.all (index 0)\n    at new Dice (${where})`,
  (where) => `    at Object.roll [as onMessage] (${where})`,
  (where) => `    at Object.<anonymous> (${where})`,
];

it("shows a stack without the frames of Node and of this package", () => {
  const ours = new URL("../../../src/bots/thread.ts", import.meta.url);
  const shown = [
    "Error: a message",
    "  at its second line",
    "    at f (/my bots/node_modules/left-pad/i.js:1:2)",
    "    at mine (/my bots/dice.ts:5:6)",
    "    at eval (eval at f (/a b/c.ts:1:2), <anonymous>:1:1)",
    "    at read (/my bots/data:x,y.ts:5:6)",
    "    at file:///a%2Fb.ts:1:2",
  ];
  const hidden = [
    "    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)",
    `    at load (${fileURLToPath(ours)}:144:19)`,
    `    at async ${ours.href}:144:19`,
    `    at resolve (data:text/javascript,${encodeURIComponent("const a = (b) => c;")}:41:18)`,
    "    at async data:text/javascript;charset=utf-8,a%20/b:1:2",
  ];

  expect(withoutOurFrames([...shown, ...hidden].join("\n"))).toBe(shown.join("\n"));
});

describe("the place in a stack", () => {
  it.each(PATHS)("is the author's file, as a path or a URL, with $why", ({ path }) => {
    for (const where of [path, pathToFileURL(path).href, `${pathToFileURL(path).href}?t=1`]) {
      for (const frame of FRAMES) {
        const stack = `Error: no (really): at most 3\n${frame(`${where}:3:14`)}\n    at f (/later.ts:1:1)`;
        expect(placeInStack(stack), frame(where)).toBe(`${path}:3:14`);
      }
    }
  });

  it.each([
    { why: "Node's own code", line: "at node:internal/process/task_queues:105:5" },
    { why: "Node's own code, in a function", line: "at process.run (node:internal/x:1:2)" },
    { why: "a package", line: "at f (/home/me/my bots/node_modules/left pad/i.js:1:2)" },
    { why: "a package, as a URL", line: "at f (file:///my%20bots/node_modules/p/i.js:1:2)" },
    { why: "code without a file", line: "at <anonymous>" },
    {
      why: "code that was put together",
      line: "at eval (eval at f (/a b/c.ts:1:2), <anonymous>:1:1)",
    },
    { why: "a module without a file", line: "at data:text/javascript,a%20/b:1:2" },
    {
      why: "this package's code",
      line: `at f (${new URL("../../../src/bots/thread.ts", import.meta.url).href}:1:2)`,
    },
    {
      why: "this package's code, as it is built",
      line: `at f (${new URL("../../../src/parts/state-key-2bR8kYJG.js", import.meta.url).href}:1:2)`,
    },
  ])("is not that of $why", ({ line }) => {
    expect(placeInStack(`Error: no\n    ${line}\n    at mine (/my bots/dice.ts:5:6)`)).toBe(
      "/my bots/dice.ts:5:6",
    );
    expect(placeInStack(`Error: no\n    ${line}`)).toBeUndefined();
  });

  it("is not searched in the error's message", () => {
    expect(placeInStack("Error: ask (/a b.ts:1:2)\n    at f (/c.ts:3:4)")).toBe("/c.ts:3:4");
  });

  it("is absent if a URL names no file of this machine", () => {
    expect(isAuthors("file:///a%2Fb.ts")).toBe(false);
    expect(isAuthors("file:///a%20b.ts")).toBe(true);
  });
});
