import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { run, start } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of an example with this package installed in it, as `npm install` would. */
async function installed(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "example-"));
  await cp(join(ROOT, "examples", name), folder, { recursive: true });
  await mkdir(join(folder, "node_modules"));
  await symlink(ROOT, join(folder, "node_modules", "answerback"), "dir");
  return folder;
}

describe("the examples", () => {
  it.each([
    {
      example: "faq",
      says: [
        {
          args: ["send", "@ana", "do you ship to Norway?"],
          answer: "@corner_shop: Yes, we ship to all of Europe; it takes three to five days.\n",
        },
        {
          args: ["send", "@ben", "how do I send them back?"],
          answer:
            "@corner_shop: Of course, Ben. Send it back within 30 days, and we return the money.\n",
        },
        {
          args: ["send", "@ben", "do you sell hats"],
          answer:
            "@corner_shop: I only know about shipping and returns. A person will read this today.\n",
        },
        {
          args: ["send", "@ana", "--post", "@corner_shop are you open?"],
          answer: "@corner_shop: @ana Write us a message, and we answer at once.\n",
        },
      ],
    },
    {
      example: "opening-hours",
      says: [
        {
          args: ["send", "@ana", "What are your hours?"],
          answer:
            "@corner_shop: We're open Mon-Fri 9:00-17:30 (CET).\nAnything else? Reply HUMAN to reach a person.\n",
        },
        {
          args: ["send", "@ben", "do you sell hats"],
          answer: "@corner_shop: Sorry, I didn't get that. Reply HUMAN to reach a person.\n",
        },
      ],
    },
    {
      example: "abuse",
      says: [
        {
          args: ["send", "@ana", "you nitwit"],
          answer: "@corner_shop: Please keep it civil, or we'll stop replying.\n",
        },
      ],
    },
    {
      example: "counter",
      says: [
        {
          args: ["send", "@ana", "count these five short words here"],
          answer: "@word_counter: 5 words, 27 characters.\n",
        },
        {
          args: ["send", "@ben", "--post", "hi @word_counter"],
          answer: "@word_counter: Thank you for the mention, @ben!\n",
        },
      ],
    },
    {
      example: "order-status",
      says: [
        {
          args: ["send", "@ana", "where is my order"],
          answer: "@order_desk: Sure. What's your order number? (for example #A12345)\n",
        },
        {
          args: ["send", "@ana", "dunno"],
          answer:
            "@order_desk: Hmm, that doesn't look like an order number. It starts with a letter, like A12345.\n",
        },
        {
          args: ["send", "@ana", "#a12345"],
          answer: "@order_desk: A12345 is shipped, expected Friday.\n",
        },
        { args: ["send", "@ana", "thanks!"], answer: "@order_desk: You're welcome!\n" },
      ],
    },
  ])("$example answers as its README says", async ({ example, says }) => {
    const folder = await installed(example);
    const dev = start(folder, "dev", "--port", "0");
    await dev.until("Answerback is up.");
    try {
      for (const { args, answer } of says) {
        const { out, err } = await run(folder, ...args);
        expect(out, err).toBe(answer);
      }
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("order-status has tests, which hold its conversation in virtual time", async () => {
    const folder = await installed("order-status");
    const { out, err } = await run(folder, "test", "order-status.test.yaml");

    expect(out, err).toContain("3 passed, 0 failed");
    await rm(folder, { recursive: true });
  });

  it("welcome writes to a follower after a while, as its README says", async () => {
    const folder = await installed("welcome");
    const dev = start(folder, "dev", "--port", "0");
    await dev.until("Answerback is up.");
    try {
      await run(folder, "clock", "+8d");
      const welcomed = run(folder, "send", "@ana", "--follow", "--wait", "60");
      const isWaiting = await when(async () => {
        const { out } = await run(folder, "status", "--json");
        return JSON.parse(out).store.runs.waiting === 1 ? true : undefined;
      });
      await run(folder, "clock", "+5m");

      expect(isWaiting).toBe(true);
      const { out, err } = await welcomed;
      expect(out, err).toMatch(
        /^@corner_shop: (Hi Ana, thanks for the follow!|Welcome aboard, Ana\.)\n$/,
      );
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each(["opening-hours", "welcome", "abuse"])(
    "the rules of %s have no problem and do what their tests say",
    async (example) => {
      const folder = await installed(example);
      const check = await run(folder, "check");
      const test = await run(folder, "test");
      await rm(folder, { recursive: true, force: true });

      expect(check.out + check.err).toContain("no problems");
      expect(test.out, test.err).toMatch(/^\d+ passed, 0 failed$/m);
    },
  );

  it("embedded starts, answers and stops by itself", async () => {
    const folder = await installed("embedded");
    const loader = import.meta.resolve("tsx");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=source", "--import", loader, "main.ts"],
      { cwd: folder, timeout: 25_000 },
    );

    expect(stdout).toMatch(
      /^@hello_bot answers: \{ type: 'reply_dm', to: '\d+', text: 'Hello, Ana!' \}\n$/,
    );
    expect((await readdir(folder)).toSorted()).toEqual([
      "README.md",
      "main.ts",
      "node_modules",
      "package.json",
    ]);
    await rm(folder, { recursive: true });
  });
});
