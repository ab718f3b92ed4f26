import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createBot, createComposer } from "../../../src/bots/authoring.ts";
import type { Bot, BotContext } from "../../../src/bots/define.ts";
import { startBots } from "../../../src/bots/host.ts";
import type { Handling } from "../../../src/bots/messages.ts";
import { runHandlers } from "../../../src/bots/run-handlers.ts";
import type { AccountEvent, MessageEvent, PostEvent } from "../../../src/events/event.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { NOBODY_ANSWERS } from "../../support/nobody-answers.ts";

const handlingOf = (
  bot: string,
  event: AccountEvent,
  triggers: Handling["triggers"],
): Handling => ({
  bot,
  triggers,
  event,
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});

/** Runs a bot's handlers for an event with the passed triggers, and returns the texts of its answers, or its error. */
async function answers(
  builder: { toBot(): Bot },
  event: AccountEvent,
  triggers: Handling["triggers"],
): Promise<readonly string[]> {
  const bot = builder.toBot();
  const outcome = await runHandlers(bot, handlingOf(bot.name, event, triggers), {
    signal: new AbortController().signal,
    post: () => {},
    keep: async () => {},
    read: async () => ({ version: 0 }),
    ...NOBODY_ANSWERS,
    beginning: (begin) => begin(),
  });
  if (outcome === undefined) throw new Error("it asked for the client");
  const said = outcome.actions.map((action) =>
    "text" in action ? (action.text ?? "") : action.type,
  );
  return outcome.error === undefined ? said : [...said, outcome.error.split("\n")[0] ?? ""];
}

const toMessage = (bot: { toBot(): Bot }, text: string) =>
  answers(bot, messageReceived({ text }), ["dm.received"]);
const toPost = (bot: { toBot(): Bot }, text: string, triggers: Handling["triggers"]) =>
  answers(bot, postMentioned({ text }), triggers);

describe("hears", () => {
  it.each([
    { what: "hello", text: "oh, Hello!", match: "hello" },
    { what: ["gruss", "opening hours"], text: "Your OPENING\u00a0HOURS?", match: "opening hours" },
    { what: "grüße", text: "GRÜSSE aus Wien", match: "grüße" },
    { what: "hell", text: "hello", match: undefined },
  ])("finds words as rules do: $what in $text", async ({ what, text, match }) => {
    const bot = createBot("b").hears(what, (ctx) => ctx.reply(ctx.match));

    expect(await toMessage(bot, text)).toEqual(match === undefined ? [] : [match]);
  });

  it("returns the match of a pattern, and searches from the start each time", async () => {
    const pattern = /order (?<id>\d+)/giy;
    const bot = createBot("b").hears(pattern, (ctx) => ctx.reply(ctx.match.groups?.["id"] ?? ""));

    expect(await toMessage(bot, "order 17")).toEqual(["17"]);
    expect(await toMessage(bot, "my order 18")).toEqual(["18"]);
    expect(pattern.lastIndex).toBe(0);
  });

  it("handles a post that is a reply and a mention once", async () => {
    const bot = createBot("b").hears(/open/, (ctx) => ctx.reply(ctx.trigger));

    expect(await toPost(bot, "are you open?", ["post.mentioned", "post.replied"])).toEqual([
      "post.mentioned",
    ]);
  });

  it.each([
    { call: () => createBot("b").hears("", () => {}), says: /^hears a word/ },
    { call: () => createBot("b").hears([], () => {}), says: /empty list/ },
    { call: () => createBot("b").hears("hi"), says: /there is no handler/ },
    { call: () => createBot("b").command("/a b", () => {}), says: /one word such as/ },
    { call: () => createBot("no name"), says: /a bot's name is/ },
    { call: () => createBot("b", { maxAge: "soon" }), says: /maxAge/ },
    {
      call: () =>
        createBot("b")
          .use(() => {})
          .toBot(),
      says: /listens to nothing/,
    },
    { call: () => createBot("b").on(JSON.parse('"dm.sent"'), () => {}), says: /starts no bot/ },
    { call: () => createBot("b").hears("a", JSON.parse("{}")), says: /function or a composer/ },
    {
      call: () =>
        createBot("b")
          .onError(() => {})
          .onError(() => {}),
      says: /called twice/,
    },
  ])("refuses what can't be: $says", ({ call, says }) => {
    expect(call).toThrow(says);
  });
});

describe("command", () => {
  it.each([
    { text: "@hello_bot a", said: ["option a"] },
    { text: "@hello_bot @lea", said: [] },
    { text: "@lea", said: [] },
  ])("of one letter is no end of a handle: $text", async ({ text, said }) => {
    const letters = createBot("b").command("a", (ctx) => ctx.reply("option a"));

    expect(await toPost(letters, text, ["post.mentioned"])).toEqual(said);
  });

  const bot = createBot("b").command(["/roll", "/throw"], (ctx) =>
    ctx.reply([ctx.command, ctx.match, ...ctx.args].join("|")),
  );

  it.each([
    { text: "/roll", said: "/roll|" },
    { text: "  /ROLL 2  d6 ", said: "/roll|2  d6|2|d6" },
    { text: '/throw "two dice" now', said: '/throw|"two dice" now|two dice|now' },
    { text: "/throw „zwei Würfel“ jetzt", said: "/throw|„zwei Würfel“ jetzt|zwei Würfel|jetzt" },
    { text: "/throw « deux dés »", said: "/throw|« deux dés »|deux dés" },
    { text: "／ｔｈｒｏｗ　「二つ の」", said: "/throw|「二つ の」|二つ の" },
    { text: "/throw d'un l’autre", said: "/throw|d'un l’autre|d'un|l’autre" },
    { text: "＠dicer /roll", said: "/roll|" },
    { text: "\u2066@dicer\u2069 /roll", said: "/roll|" },
    { text: "please /roll", said: undefined },
    { text: "/roller", said: undefined },
  ])("takes what stands behind it: $text", async ({ text, said }) => {
    expect(await toMessage(bot, text)).toEqual(said === undefined ? [] : [said]);
  });

  it("is found after the handles at the beginning of a post", async () => {
    expect(await toPost(bot, "@hello_bot @ana /roll 2", ["post.mentioned"])).toEqual(["/roll|2|2"]);
  });
});

describe("the parts of a bot", () => {
  it("get an event in order, until one of them handles it", async () => {
    const bot = createBot("b")
      .hears("hi", (ctx) => ctx.reply("first"))
      .hears("hi", (ctx) => ctx.reply("second"))
      .on("dm.received", (ctx) => ctx.reply("the rest"));

    expect(await toMessage(bot, "hi")).toEqual(["first"]);
    expect(await toMessage(bot, "ho")).toEqual(["the rest"]);
  });

  it("pass an event on, continue afterwards, and extend its context", async () => {
    const bot = createBot<{ greeting: string }>("b")
      .use(async (ctx, next) => {
        ctx.greeting = "ahoy";
        await next();
        await ctx.reply("after");
      })
      .hears("hi", async (ctx, next) => {
        await ctx.reply(ctx.greeting);
        await next();
      })
      .on("dm.received", (ctx) => ctx.reply(`${ctx.greeting} again`));

    expect(await toMessage(bot, "hi")).toEqual(["ahoy", "ahoy again", "after"]);
  });

  it("can be combined elsewhere, and are restricted by their place", async () => {
    const polite = createComposer()
      .hears("hi", (ctx) => ctx.reply("hello"))
      .hears("bye", (ctx) => ctx.reply("see you"));
    const bot = createBot("b").on("dm.received", polite);

    expect(Object.keys(bot.toBot().on)).toEqual(["dm.received"]);
    expect(await toMessage(bot, "bye")).toEqual(["see you"]);
  });

  it("can be limited to events for which a predicate is true", async () => {
    const isAna = (ctx: BotContext): boolean => ctx.sender.username === "ana";
    const bot = createBot("b")
      .filter(
        (ctx) => !isAna(ctx),
        createComposer().hears("hi", (ctx) => ctx.reply("stranger")),
      )
      .filter(
        isAna,
        createComposer().hears("hi", (ctx) => ctx.reply("Ana!")),
      );

    expect(await toMessage(bot, "hi")).toEqual(["Ana!"]);
  });

  it("pass an event on only once, and can't be added while the bot is in use", async () => {
    const twice = createBot("b").hears("hi", async (_, next) => {
      await next();
      await next();
    });
    expect(await toMessage(twice, "hi")).toEqual([
      expect.stringContaining("next() was called twice"),
    ]);

    const late = createBot("b").hears("hi", () => void late.hears("ho", () => {}));
    expect(await toMessage(late, "hi")).toEqual([
      expect.stringContaining("takes no more handlers"),
    ]);
  });
});

describe("onError", () => {
  const failing = createComposer().hears("hi", () => {
    throw new RangeError("no");
  });

  it("handles exceptions of parts, so that the handler does not fail", async () => {
    const bot = createBot("b")
      .use(failing)
      .onError(async (error, ctx) => ctx.reply(`sorry: ${String(error)}`));

    expect(await toMessage(bot, "hi")).toEqual(["sorry: RangeError: no"]);
  });

  it("fails the handler if it throws itself", async () => {
    const bot = createBot("b")
      .use(failing)
      .onError((error) => {
        throw error;
      });

    expect(await toMessage(bot, "hi")).toEqual(["RangeError: no"]);
  });

  it("of one composer ignores exceptions of later parts", async () => {
    const guarded = createComposer()
      .use((_, next) => next())
      .onError((_, ctx) => ctx.reply("mine"));
    const bot = createBot("b")
      .use(guarded)
      .use(failing)
      .onError((_, ctx) => ctx.reply("the bot's"));

    expect(await toMessage(bot, "hi")).toEqual(["the bot's"]);
  });

  it("does not hide a name that is used twice", async () => {
    const bot = createBot("b")
      .hears("hi", async (ctx) => {
        await ctx.step("one", () => 1);
        await ctx.step("one", () => 1);
      })
      .onError(() => {});

    expect(await toMessage(bot, "hi")).toEqual([expect.stringContaining('the name "one"')]);
  });
});

describe("the types of a builder", () => {
  it("narrow the event by trigger, by match and by a type guard", () => {
    createBot("b")
      .on("dm.received", (ctx) => {
        expectTypeOf(ctx.event).toEqualTypeOf<MessageEvent>();
        expectTypeOf(ctx.text).toEqualTypeOf<string>();
      })
      .on(["post.mentioned", "post.replied"], (ctx) => {
        expectTypeOf(ctx.event).toEqualTypeOf<PostEvent>();
        expectTypeOf(ctx.trigger).toEqualTypeOf<"post.mentioned" | "post.replied">();
      })
      .hears(/a/, (ctx) => {
        expectTypeOf(ctx.event).toEqualTypeOf<MessageEvent | PostEvent>();
        expectTypeOf(ctx.match).toEqualTypeOf<RegExpExecArray>();
      })
      .hears("a", (ctx) => expectTypeOf(ctx.match).toEqualTypeOf<string>())
      .use((ctx) => expectTypeOf(ctx.text).toEqualTypeOf<string | undefined>())
      .filter(
        (ctx): ctx is BotContext<"user.followed"> => ctx.trigger === "user.followed",
        (ctx) => expectTypeOf(ctx.event.kind).toEqualTypeOf<"relation">(),
      );
  });
});

it("is a module's default export, run in its thread", async () => {
  const file = fileURLToPath(new URL("../../fixtures/bots/composed.ts", import.meta.url));
  const host = await startBots({ patienceMs: 120_000, files: [file] });
  const hear = (text: string) =>
    host.handle(handlingOf("composed", messageReceived({ text }), ["dm.received"]));

  expect(host.faults).toEqual([]);
  expect(host.bots).toMatchObject([{ name: "composed", maxAgeMs: 7_200_000 }]);
  expect(host.bots[0]?.triggers).toContain("user.followed");
  expect((await hear("Good  morning!")).actions).toMatchObject([{ text: "good morning to you" }]);
  expect((await hear("/roll 2 3")).actions).toMatchObject([{ text: "rolled 2+3" }]);
  await host.close();
});
