import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { begin, run } from "../support/command-line.ts";
import { LONG_HANG_MS, WAIT_MS } from "../support/hang-limit.ts";
import { when } from "../support/when.ts";
import { withoutOurs } from "../support/without-ours.ts";
import { installed, started } from "../support/installed-example.ts";
import { ownAddress } from "../support/own-address.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A service that an example's rules call, replaced by a stub. */
interface Service {
  /** Host of the service, as the example's files name it. */
  readonly host: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly answers: unknown;
}

/** Starts the stub on this machine, and makes the example in `folder` call it. */
async function served(folder: string, { host, files, answers }: Service): Promise<() => void> {
  const service = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  const own = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  await rewritten(folder, files, (text) =>
    text.replaceAll(`https://${host}`, `http://${own}`).replaceAll(host, own),
  );
  return () => void service.close();
}

/** Changes files in the folder `config` of an example. */
async function rewritten(
  folder: string,
  files: readonly string[],
  change: (text: string) => string,
): Promise<void> {
  for (const file of files) {
    const path = join(folder, "config", file);
    await writeFile(path, change(await readFile(path, "utf8")));
  }
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
            "@corner_shop: I don't know about that. Write HUMAN, and a person of the shop will answer.\n",
        },
        {
          args: ["send", "@ana", "--post", "@corner_shop are you open?"],
          answer: "@corner_shop: @ana Write us a message, and we answer at once.\n",
        },
      ],
    },
    {
      example: "public-thread",
      says: [
        {
          args: ["send", "@ana", "--post", "@reading_room I want to vote"],
          answer:
            "@reading_room: @ana, which book do we read next: Emma or Dracula? Answer this post.\n",
        },
        {
          args: ["send", "@ana", "--reply", "Dracula"],
          answer: "@reading_room: Noted: Dracula. Thank you!\n",
        },
        {
          args: ["send", "@ben", "--post", "@reading_room how does it work?", "--wait", "3"],
          answer:
            "@reading_room: Welcome to the reading room! You may borrow five books at a time, for three weeks each, and extend every loan twice as long as nobody else waits for the book. Magazines and the big atlases stay here.\n\nThe quiet floor is open from nine to nine.\n" +
            "@reading_room: Bags go into the lockers by the stairs, water is fine, coffee is not. Please take calls outside.\n\nLate books cost 20 cents a day, at most five euros. Lost ones cost what a new copy costs. If that is hard for you, write us a message: we find a way.\n",
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
        {
          args: ["send", "@ben", "human"],
          answer: "@corner_shop: A person will write to you here.\n",
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
      example: "quiz-rules",
      says: [
        {
          args: ["send", "@ana", "quiz"],
          answer: "@quiz_desk: 1. Which planet is closest to the sun?\n",
        },
        {
          args: ["send", "@ana", "Mercury"],
          answer: "@quiz_desk: Right!\n@quiz_desk: 2. How many strings has a violin?\n",
        },
        {
          args: ["send", "@ben", "top"],
          answer: "@quiz_desk: Nobody has played yet. Write QUIZ to be the first.\n",
        },
      ],
    },
    {
      example: "reminders",
      says: [
        {
          args: ["send", "@ana", "remind me in 2 hours to call Mum"],
          answer: "@memo_bot: In 2 hours: 1 call Mum\n",
        },
        { args: ["send", "@ana", "list"], answer: "@memo_bot: 1 call Mum\n" },
        { args: ["send", "@ana", "cancel 1"], answer: "@memo_bot: Cancelled: 1 call Mum\n" },
      ],
    },
    {
      example: "giveaway",
      says: [
        {
          args: ["send", "@ana", "--post", "@prize_desk count me in!"],
          answer: "@prize_desk: You are in! We draw on Friday at six.\n",
        },
        {
          args: ["send", "@ana", "enter"],
          answer: "@prize_desk: You are in already. Good luck on Friday!\n",
        },
      ],
    },
    {
      example: "moderation",
      says: [
        {
          args: ["send", "@ana", "you nitwit"],
          answer:
            "@town_square: Please keep it civil. After three such messages in a week we stop reading yours.\n",
        },
      ],
    },
    {
      example: "counter",
      says: [
        {
          args: ["send", "@ana", "count these four short words"],
          answer: "@word_counter: 4 words, 22 characters.\n",
        },
        {
          args: ["send", "@ana", "count one"],
          answer: "@word_counter: 1 word, 3 characters.\n",
        },
        {
          args: ["send", "@ana", "count a"],
          answer: "@word_counter: 1 word, 1 character.\n",
        },
        {
          args: ["send", "@ben", "--post", "hi @word_counter"],
          answer: "@word_counter: Thank you for the mention, @ben!\n",
        },
      ],
    },
    {
      example: "quiz",
      says: [
        {
          args: ["send", "@ana", "/quiz"],
          answer: "@quiz_master: 1. Which planet is closest to the sun?\n",
        },
        {
          args: ["send", "@ben", "/score"],
          answer: "@quiz_master: You have no score yet: finish a game of /quiz.\n",
        },
        {
          args: ["send", "@ana", "Mercury"],
          answer: "@quiz_master: Right! 2. How many strings has a violin?\n",
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
    const dev = started(folder);
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

  it.each([
    {
      example: "triage",
      service: {
        host: "tickets.example.test",
        env: { TICKETS_TOKEN: "t" },
        files: ["answerback.yaml", "rules/triage.yaml"],
        answers: { id: 73 },
      },
      says: [
        {
          args: ["send", "@ana", "--post", "@corner_shop the cart is broken"],
          answer: "@corner_shop: Sorry about that, @ana. It is ticket 73 now.\n",
        },
      ],
    },
  ])("$example asks its service and answers", async ({ example, service, says }) => {
    const folder = await installed(example);
    const close = await served(folder, service);
    const dev = started(folder, service.env);
    await dev.until("Answerback is up.");
    try {
      for (const { args, answer } of says) {
        const { out, err } = await run(folder, ...args);
        expect(out, err).toBe(answer);
      }
    } finally {
      await dev.end();
      close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("order-status-rules calls its own service", async () => {
    const folder = await installed("order-status-rules");
    const env = { ORDERS_TOKEN: "t", ORDERS_PORT: "0" };
    const service = spawn(process.execPath, ["service.js"], { cwd: folder, env });
    const [line] = await once(service.stdout, "data");
    const [own = ""] = /127\.0\.0\.1:\d+/.exec(String(line)) ?? [];
    await rewritten(folder, ["answerback.yaml", "rules/order-status.yaml"], (text) =>
      text.replaceAll("127.0.0.1:8091", own),
    );
    const dev = started(folder, env);
    await dev.until("Answerback is up.");
    try {
      for (const [who, text, answer] of [
        ["@ana", "where is my order", "Gladly. Which order is it? (its number looks like #A12345)"],
        [
          "@ana",
          "dunno",
          "That is no order number, I think. It is a letter and five digits, like A12345.",
        ],
        ["@ana", "#a12345", "A12345 is on its way, and should be with you on Friday."],
        ["@ana", "thanks!", "You're welcome!"],
        ["@ben", "order status", "Gladly. Which order is it? (its number looks like #A12345)"],
        ["@ben", "Z99999", "There is no order Z99999. Is the number right?"],
        ["@ben", "a human, please", "A person will write to you here."],
      ] as const) {
        const { out, err } = await run(folder, "send", who, text);
        expect(out, err).toBe(`@order_desk: ${answer}\n`);
      }
    } finally {
      await dev.end();
      service.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("triage hands an outage over to a person, who finds it with the command that its README names", async () => {
    const folder = await installed("triage");
    const dev = started(folder, { TICKETS_TOKEN: "t" });
    await dev.until("Answerback is up.");
    try {
      await run(folder, "send", "@ben", "--post", "@corner_shop are you down?", "--wait", "1");
      const listed = await when(async () => {
        const { out } = await run(folder, "escalations", "list");
        return out.includes("social-oncall") ? out : undefined;
      });

      expect(listed).toContain("mention by @ben: are you down?");
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("moderation asks a moderator after the messages that its README sends", async () => {
    const folder = await installed("moderation");
    const dev = started(folder);
    await dev.until("Answerback is up.");
    try {
      for (const text of ["you nitwit", "you blockhead", "you dunderhead"]) {
        await run(folder, "send", "@ana", text, "--wait", "3");
      }
      const listed = await when(async () => {
        const { out } = await run(folder, "escalations", "list");
        return out.includes("moderators") ? out : undefined;
      });

      expect(listed).toContain("@ana was abusive 3 times in a week");
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("reminders lists the reminder that came after two hours, as its README says", async () => {
    const folder = await installed("reminders");
    const dev = started(folder);
    await dev.until("Answerback is up.");
    try {
      await run(folder, "send", "@ana", "remind me in 2 hours to call Mum");
      await run(folder, "clock", "+2h");
      const listed = await when(async () => {
        const { out } = await run(folder, "dm", "list", "--with", "@ana");
        return out.includes("Reminder") ? out : undefined;
      });

      expect(listed).toMatch(
        /@memo_bot +Reminder: 1 call Mum\n.*@memo_bot +In 2 hours: 1 call Mum\n/,
      );
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("campaign gives a code to one person only", async () => {
    const folder = await installed("campaign");
    const dev = started(folder);
    await dev.until("Answerback is up.");
    try {
      const first = await run(folder, "send", "@ana", "SPRING-ROSE");
      const second = await run(folder, "send", "@ben", "spring-rose, please");

      expect(first.out, first.err).toBe("@corner_shop: ROSE is yours: 15% off.\n");
      expect(second.out, second.err).toBe("@corner_shop: Sorry, ROSE is used up.\n");
    } finally {
      await dev.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("order-status passes its own tests in virtual time", async () => {
    const folder = await installed("order-status");
    const { out, err } = await run(folder, "test", "order-status.test.yaml");

    expect(out, err).toContain("4 passed, 0 failed");
    await rm(folder, { recursive: true });
  });

  it("quiz passes its own tests, with the bot driven in virtual time", async () => {
    const folder = await installed("quiz");
    const { out, err } = await run(folder, "test", "quiz.test.yaml");

    expect(out, err).toContain("5 passed, 0 failed");
    await rm(folder, { recursive: true });
  });

  it("welcome writes to a follower after a while, as its README says", async () => {
    const folder = await installed("welcome");
    const dev = started(folder);
    await dev.until("Answerback is up.");
    try {
      await run(folder, "clock", "+8d");
      const welcomed = run(folder, "send", "@ana", "--follow", "--wait", "300");
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

  it.each([
    "faq",
    "opening-hours",
    "welcome",
    "abuse",
    "triage",
    "brand-watch",
    "quiz-rules",
    "reminders",
    "giveaway",
    "moderation",
    "order-status-rules",
    "campaign",
    "assistant",
  ])("the rules of %s have no problem and do what their tests say", async (example) => {
    const folder = await installed(example);
    const env = { TICKETS_TOKEN: "secret", ORDERS_TOKEN: "secret" };
    const check = await begin({ cwd: folder, env }, ["check"]).ended;
    const test = await run(folder, "test");
    await rm(folder, { recursive: true, force: true });

    expect(check.out + check.err).toContain("no problems");
    expect(test.out, test.err).toMatch(/^\d+ passed, 0 failed$/m);
  });

  it(
    "assistant passes its own tests, against recorded streams of a model",
    async () => {
      const folder = await installed("assistant");
      const loader = ["--conditions=answerback-source", "--import", import.meta.resolve("tsx")];
      const args = [...loader, "--test", "--test-reporter=tap", "assistant.test.ts"];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: folder,
        env: withoutOurs(process.env),
      }).catch((error: { readonly stdout: string }) => error);
      await rm(folder, { recursive: true, force: true });

      expect(stdout).toMatch(/^# pass 28$/m);
      expect(stdout).toMatch(/^# fail 0$/m);
    },
    LONG_HANG_MS,
  );

  it("express-app serves its own routes, answers and stops by itself", async () => {
    const folder = await installed("express-app");
    await symlink(join(ROOT, "node_modules/express"), join(folder, "node_modules/express"), "dir");
    const loader = import.meta.resolve("tsx");
    const { port } = await ownAddress();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=answerback-source", "--import", loader, "main.ts"],
      { cwd: folder, timeout: WAIT_MS, env: { ...process.env, PORT: String(port) } },
    );
    await rm(folder, { recursive: true });

    expect(stdout).toMatch(
      /^the shop takes an order: \{ item: 'tea' \}\n@hello_bot answers: \{ type: 'reply_dm', to: '\d+', text: 'Hello, Ana!' \}\n$/,
    );
  });

  it("embedded starts, answers and stops by itself", async () => {
    const folder = await installed("embedded");
    const loader = import.meta.resolve("tsx");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=answerback-source", "--import", loader, "main.ts"],
      { cwd: folder, timeout: WAIT_MS },
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
