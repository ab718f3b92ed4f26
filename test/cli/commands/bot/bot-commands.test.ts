import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin } from "../../../support/command-line.ts";
import { when } from "../../../support/when.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

describe("commands of a running bot", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  let people = 0;
  /** Creates a person without messages: after a few equal answers to one person the bot suppresses further ones. */
  const person = async (): Promise<string> => {
    const name = `person_${(people += 1)}`;
    await dev.control.user(name);
    return name;
  };

  it("a piped conversation answers line by line, and names a line without an answer", async () => {
    const [one, other] = [await person(), await person()];
    const input = `when are you open?\n/as @${other}\nwhere is a12345?\n`;
    const chat = ["chat", "--as", `@${one}`];

    const { code, out } = await begin({ cwd: dev.folder, input }, chat).ended;
    const silent = await begin({ cwd: dev.folder, input: "mumble\n" }, chat).ended;

    expect(code).toBe(0);
    expect(out).toBe(
      "@hello_bot: We're open Monday to Friday, 9:00 to 17:30.\n" +
        "@hello_bot: Order A12345 has left our warehouse.\n",
    );
    expect(silent).toMatchObject({ code: 3, out: "" });
    expect(silent.err).toMatch(
      /^no answer to "mumble": no rule matched, and bot orders ran and said nothing; see answerback trace \d+\/bot:orders\n$/,
    );
  });

  it("the log of the bot is stored, and printed as text or JSON", async () => {
    const people = await dev.run("logs", "-n", "500");
    const programs = await dev.run("logs", "--json", "-n", "1");

    expect(people.out).toMatch(/Z info {2}link: subscribed/);
    expect(JSON.parse(programs.out)).toMatchObject({ level: 30 });
  });

  it("the log is followed: a new line is shown", async () => {
    const following = begin({ cwd: dev.folder }, ["logs", "-f", "-n", "0"]);
    await following.until("Following");
    await dev.run("send", `@${await person()}`, "hello");

    await following.until("outbox:");

    expect((await following.end()).code).toBe(0);
  });

  it("outbox and journal list sent answers and received events", async () => {
    const who = await person();
    await dev.run("send", `@${who}`, "when are you open?");
    const sent = (await dev.run("outbox", "--status", "sent")).out;
    const came = (await dev.run("journal")).out;

    expect(sent).toMatch(
      new RegExp(String.raw`^\d+ +\d+ +sent +@${who} .* message to @${who}: We're open`, "m"),
    );
    const runs = "rule:hours, bot:orders";
    expect(came).toMatch(
      new RegExp(
        String.raw`^\d+ +\S+Z +dm\.received +@${who} +webhook +${runs} +when are you open\?$`,
        "m",
      ),
    );
  });

  it("outbox show prints all of one item; a sent item is not sent again", async () => {
    await dev.run("send", `@${await person()}`, "when are you open?");
    const [item] = await dev.rows<{ id: number }>("outbox", "--status", "sent");
    const id = String(item?.id);
    const shown = await dev.run("outbox", "show", id);
    const again = await dev.run("outbox", "retry", id);

    for (const line of [
      /^status +sent$/m,
      /^run +\d+\/rule:\w+ \(done\)$/m,
      /^event +\d+: message, /m,
    ]) {
      expect(shown.out).toMatch(line);
    }
    expect(await dev.json("outbox", "show", id)).toMatchObject({ id: item?.id, status: "sent" });
    expect(again).toMatchObject({ code: 2, out: "" });
    expect(again.err).toContain("is sent");
  });

  it.each([["show"], ["retry"], ["drop"], ["settle", "--as", "sent"]])(
    "outbox %s refuses an item that is not there",
    async (command, ...flags) => {
      const { code, err } = await dev.run("outbox", command, "999999", ...flags);

      expect(code).toBe(2);
      expect(err).toContain("there is no item 999999");
      expect(err).toContain("answerback outbox list");
    },
  );

  it("doctor reports each broken part with its fix, and nothing once it is fixed", async () => {
    const { id } = dev.file.bot;
    await dev.run("subscriptions", "remove", id);
    const broken = await dev.run("doctor", "--json");
    const findings = broken.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [failed] = findings.filter(({ state }) => state === "fail");
    const fixed = await dev.run(...String(failed.fix).split(" ").slice(1));
    const well = await dev.run("doctor");

    expect(broken.code).toBe(3);
    expect(failed).toMatchObject({
      name: "subscription",
      fix: "answerback subscriptions add --as @hello_bot",
    });
    expect(fixed.code, fixed.err).toBe(0);
    expect(well.code, well.out).toBe(0);
  });

  it.each([
    {
      args: ["when are you open?"],
      answer: {
        from: "hello_bot",
        kind: "message",
        text: "We're open Monday to Friday, 9:00 to 17:30.",
      },
      why: "a message",
    },
    {
      args: ["@hello_bot are you open?", "--post"],
      answer: {
        from: "hello_bot",
        kind: "post",
        text: expect.stringContaining("Thanks for asking!"),
      },
      why: "a post",
    },
    {
      args: ["--follow"],
      answer: {
        from: "hello_bot",
        kind: "message",
        text: expect.stringContaining("Thanks for the follow!"),
      },
      why: "a follow of somebody new",
    },
  ])("send prints the answer to $why", async ({ args, answer }) => {
    expect(await dev.json("send", `@${await person()}`, ...args)).toMatchObject(answer);
  });

  it("send exits with 3 and the reason at once when there is no answer", async () => {
    const { code, out, err } = await dev.run("send", "@ana", "mumble", "--wait", "600");
    const programs = await dev.run("send", "@ana", "mumble", "--wait", "600", "--json");

    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toMatch(/^no answer: no rule matched, and bot orders ran and said nothing; see /);
    expect(programs.out).toBe("");
    expect(JSON.parse(programs.err)).toMatchObject({
      code: "no-answer",
      message: expect.stringMatching(/^no answer: no rule matched/),
    });
  });

  it.each([
    { code: 0, args: ["journal"], why: "it did what was asked" },
    { code: 1, args: ["posts", "get", "404"], why: "the platform has no such post" },
    { code: 2, args: ["journal", "--limit", "many"], why: "it can't be understood" },
    { code: 3, args: ["send", "@ana", "mumble"], why: "it is done, and nobody answered" },
    { code: 4, args: ["api", "GET", "/2/users/me", "--app"], why: "the app may not ask that" },
    { code: 5, args: ["journal", "--data", "nowhere"], why: "no bot runs there" },
  ])("$args exits with $code: $why", async ({ code, args }) => {
    const ran = await dev.run(...args);

    expect(ran.code, ran.err).toBe(code);
  });

  it("a waiting command exits with 130 on Ctrl-C", async () => {
    const never = new Promise<string>(() => {});
    const waiting = begin({ cwd: dev.folder, input: never }, ["dm", "send", "@ana", "-"]);

    expect((await waiting.end()).code).toBe(130);
  });

  it("send without a text is refused with an example", async () => {
    const { code, err } = await dev.run("send", "@ana");

    expect(code).toBe(2);
    expect(err).toContain("help: write: answerback send @ana");
  });

  it("status shows people and programs the same bot", async () => {
    const people = (await dev.run("status")).out;
    const programs = await dev.json<{
      accounts: { username: string; subscribed: boolean }[];
      webhook: { listen: string };
    }>("status");

    expect(people).toMatch(/^account +@hello_bot, subscribed$/m);
    expect(people).toContain(` at ${programs.webhook.listen}`);
    expect(programs.accounts).toMatchObject([{ username: "hello_bot", subscribed: true }]);
  });

  it("journal pages back with --before, newest first", async () => {
    const who = `@${await person()}`;
    await dev.run("send", who, "when are you open?");
    await dev.run("send", who, "where is a12345?");
    const seqs = async (...args: readonly string[]): Promise<number[]> =>
      (await dev.run("journal", "--json", ...args)).out
        .trim()
        .split("\n")
        .map((line): { seq: number } => JSON.parse(line))
        .map(({ seq }) => seq);

    const all = await seqs();
    const [newest = 0] = all;

    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(await seqs("--before", String(newest), "--limit", "1")).toEqual([all[1]]);
  });

  it.each([
    {
      args: ["journal", "--account", "404"],
      err: expect.stringMatching(
        /^No events of account 404; \d+ kept in all: answerback journal\n$/,
      ),
    },
    {
      args: ["outbox", "--status", "expired"],
      err: expect.stringMatching(/^None expired; .*\d+ sent.*: answerback outbox\n$/),
    },
  ])("$args without results prints a message and no data", async ({ args, err }) => {
    await dev.run("send", `@${await person()}`, "when are you open?");

    expect(await dev.run(...args)).toEqual({ code: 0, out: "", err });
    expect(await dev.run(...args, "--json")).toEqual({ code: 0, out: "", err: "" });
  });

  it.each(["hello_bot", "@Hello_Bot"])("lists are those of the account %s", async (account) => {
    await dev.run("send", `@${await person()}`, "when are you open?");
    for (const command of ["journal", "outbox"]) {
      const rows = await dev.rows<{ account: string }>(command, "--account", account);

      expect(new Set(rows.map((row) => row.account))).toEqual(new Set([dev.file.bot.id]));
    }
  });

  it.each([
    ["journal", "--account", "nobody"],
    ["outbox", "list", "--account", "@nobody"],
    ["escalations", "list", "--account", "nobody"],
    ["escalations", "resolve", "--person", "@ben", "--account", "nobody"],
    ["pause", "--account", "nobody"],
    ["resume", "--account", "nobody"],
  ])("%s %s %s refuses an account that is not linked", async (...args) => {
    const { code, out, err } = await dev.run(...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/no account @?nobody is linked/);
  });

  it.each([
    ["journal", "--person", "nobody"],
    ["outbox", "list", "--person", "@nobody"],
    ["runs", "--person", "nobody"],
    ["escalations", "list", "--person", "@nobody"],
    ["escalations", "resolve", "--person", "nobody"],
    ["resume", "--person", "@nobody"],
  ])("%s %s %s refuses a person of whom nothing is known", async (...args) => {
    const { code, out, err } = await dev.run(...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("the bot has received nothing from @nobody");
  });

  it.each([
    { args: ["runs", "--person", "404"], text: /^No such runs; / },
    { args: ["escalations", "list", "--person", "404"], text: /^Nothing is left to take over/ },
    { args: ["escalations", "resolve", "--person", "404"], text: /^404 has no open hand-over/ },
    { args: ["resume", "--person", "404"], text: /^Nothing is held back for 404/ },
    { args: ["resume", "--person", "group:404"], text: /^Nothing is held back for group:404/ },
  ])("$args takes a user id of which nothing is known", async ({ args, text }) => {
    const { code, out, err } = await dev.run(...args);

    expect(code).toBe(0);
    expect(`${out}${err}`).toMatch(text);
  });

  it("pause and resume are shown by status and doctor, and may be repeated", async () => {
    expect((await dev.run("pause", "--account", "hello_bot")).out).toMatch(/^paused +@hello_bot/);
    const again = await dev.run("pause", "--account", "@hello_bot");
    expect(again.out).toContain("The bot was already paused.");
    expect((await dev.run("status")).out).toMatch(/^paused +@hello_bot since .*answerback resume/m);
    const findings = await dev.rows<{ name: string; state: string; fix?: string }>("doctor");
    expect(findings.find(({ name }) => name === "bot")).toMatchObject({
      state: "warn",
      fix: "answerback resume",
    });

    expect((await dev.run("resume")).out).toBe("Resumed.\n");
    expect((await dev.run("resume")).out).toBe("Nothing was paused.\n");
    const wrong = await dev.run("pause", "--account", "nobody");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("no account nobody")]);
  });

  it("held answers are shown by status, listed, and released for a person", async () => {
    const who = "insistent";
    const id = await dev.control.user(who);
    for (let n = 0; n < 4; n += 1) {
      const text = "when are you open?";
      await dev.control.act(id, { type: "dm", to: dev.file.bot.id, text });
    }
    const held = await when(async () => {
      const rows = await dev.rows<{ reason: string }>("outbox", "--status", "held");
      return rows.length > 0 ? rows : undefined;
    });
    expect(held[0]?.reason).toBe(
      "more than 3 in 1m with this text to one person (limits.equal_replies)",
    );
    expect((await dev.run("status")).out).toMatch(
      new RegExp(String.raw`^held back +\d answers? to @${who}: more than 3`, "m"),
    );
    expect((await dev.run("resume", "--person", who, "--drop")).out).toContain("discarded");
    await dev.run("send", "@ben", "when are you open?");
    expect((await dev.run("resume", "--person", "@ben")).out).toBe(
      "Nothing is held back for ben.\n",
    );
    expect((await dev.run("resume", "--drop")).code).toBe(2);
  });

  it("logs are filtered by their level", async () => {
    const { out } = await dev.run("logs", "--level", "error", "--json");

    expect(out).not.toContain('"level":30');
  });

  it("doctor prints a line per check for people", async () => {
    const { out, code } = await dev.run("doctor");

    expect(code, out).toBe(0);
    for (const name of [
      "node",
      "settings",
      "rules",
      "store",
      "bot",
      "app",
      "webhook",
      "challenge",
    ]) {
      expect(out).toMatch(new RegExp(`^ok +${name} `, "m"));
    }
  });
});
