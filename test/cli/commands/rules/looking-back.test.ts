import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translate } from "../../../../src/events/translate.ts";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { run } from "../../../support/command-line.ts";
import * as wire from "../../../support/wire.ts";
import { emptyFolder } from "../../support/running-dev.ts";

const rule = (id: string, words: string, text: string): string =>
  `  - id: ${id}\n    triggers: [dm.received]\n    conditions: [{message.text: {contains_word: [${words}]}}]\n` +
  `    actions: [{reply_dm: "${text}"}]\n`;
const file = (...rules: readonly string[]): string => `version: 1\nrules:\n${rules.join("")}`;

const HOURS = rule("hours", "hours", "9 to 5");
const REFUND = rule("refund", "refund", "5 days");
const THANKS = rule("thanks", "thanks", "welcome");

/** Messages of 300 people: every tenth asks for hours, a refund, or thanks; three ask for a person. */
const TEXTS = Array.from({ length: 300 }, (_, n) => {
  if (n === 7 || n === 77 || n === 177) return "a human please";
  return ["hours?", "my refund", "thanks"][n % 10] ?? `chat ${n}`;
});

describe("the journal of a bot", () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await emptyFolder());
    await mkdir(join(folder, "config/rules"), { recursive: true });
    await mkdir(join(folder, "edited"));
    await writeFile(join(folder, "config/answerback.yaml"), "version: 1\nstore: file:../data\n");
    await writeFile(join(folder, "config/rules/faq.yaml"), file(HOURS, REFUND, THANKS));
    await keepInJournal(join(folder, "data"));
  });
  afterAll(() => remove());

  it("through equal rules differs nowhere", async () => {
    await writeFile(join(folder, "edited/faq.yaml"), file(HOURS, REFUND, THANKS));

    const { code, out, err } = await run(folder, "backtest", "--rules", "edited");

    expect({ code, out, err }).toEqual({
      code: 0,
      out: "300 events: 90 answered as before, 0 changed, 0 new, 0 gone\n",
      // no progress bar without a terminal
      err: expect.stringMatching(/^The bot is not running; this is what it left, as of \S+Z\.\n$/),
    });
  });

  it("evaluates only the latest events with --limit", async () => {
    await writeFile(join(folder, "edited/faq.yaml"), file(HOURS, REFUND, THANKS));
    const since = ["--since", "2h", "--limit", "100"];
    const { out } = await run(folder, "backtest", "--rules", "edited", ...since, "--json");
    const none = await run(folder, "backtest", "--rules", "edited", "--since", "1m", "--json");

    expect(JSON.parse(out)).toMatchObject({ type: "summary", events: 100, same: 30, failed: 0 });
    expect(JSON.parse(none.out)).toMatchObject({ events: 0, same: 0 });
  });

  it("shows exactly the differences of edited rules: changed, new and missing", async () => {
    const edited = file(
      rule("hours", "hours", "9 to 6"),
      REFUND,
      rule("person", "human", "A person comes."),
    );
    await writeFile(join(folder, "edited/faq.yaml"), edited);

    const { code, out } = await run(folder, "backtest", "--rules", "edited");

    expect(code).toBe(3);
    expect(out).toContain("300 events: 30 answered as before, 30 changed, 3 new, 30 gone");
    // events with the same difference in their answers form one block; the largest block comes first
    expect(out).toBe(`30 changed
  - hours: message to @user_1000: 9 to 5
  + hours: message to @user_1000: 9 to 6
    @user_1000: "hours?" (event 1)
    @user_1010: "hours?" (event 11)
    @user_1020: "hours?" (event 21)
    and 27 more; --all lists every event
30 gone
  - thanks: message to @user_1002: welcome
    @user_1002: "thanks" (event 3)
    @user_1012: "thanks" (event 13)
    @user_1022: "thanks" (event 23)
    and 27 more; --all lists every event
3 new
  + person: message to @user_1007: A person comes.
    @user_1007: "a human please" (event 8)
    @user_1077: "a human please" (event 78)
    @user_1177: "a human please" (event 178)
300 events: 30 answered as before, 30 changed, 3 new, 30 gone
`);
  });

  it("lists every event that differs with --all, by handle", async () => {
    const edited = file(rule("hours", "hours", "9 to 6"), REFUND, THANKS);
    await writeFile(join(folder, "edited/faq.yaml"), edited);

    const { out } = await run(folder, "backtest", "--rules", "edited", "--all");

    expect(out.match(/^changed event /gm)).toHaveLength(30);
    expect(out).toContain('changed event 291 dm.received from @user_1290: "hours?"');
    expect(out).toContain("  + hours: message to @user_1290: 9 to 6");
  });

  it("adds the groups to the summary in JSON", async () => {
    const edited = file(rule("hours", "hours", "9 to 6"), REFUND, THANKS);
    await writeFile(join(folder, "edited/faq.yaml"), edited);

    const { out } = await run(folder, "backtest", "--rules", "edited", "--json");

    const rows = out
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(rows).toHaveLength(11);
    expect(rows[0]).toMatchObject({
      type: "example",
      kind: "changed",
      seq: 1,
      before: [{ rule: "hours", what: "message to 1000: 9 to 5" }],
    });
    expect(rows.at(-1)).toMatchObject({
      type: "summary",
      changed: 30,
      groups: [
        { kind: "changed", count: 30, examples: [{ said: '@user_1000: "hours?"' }, {}, {}] },
      ],
    });
  });

  it("reports an answer that only a changed cooldown suppresses", async () => {
    const cooling = HOURS.replace("actions:", "cooldown: {per: rule, for: 1h}\n    actions:");
    await writeFile(join(folder, "edited/faq.yaml"), file(cooling, REFUND, THANKS));

    const { out } = await run(folder, "backtest", "--rules", "edited", "--json");

    const rows = out.trim().split("\n");
    expect(JSON.parse(rows.at(-1) ?? "")).toMatchObject({ same: 61, changed: 0, new: 0, gone: 29 });
  });

  it("refuses rules with mistakes, and a folder without rules", async () => {
    await writeFile(join(folder, "edited/faq.yaml"), file(HOURS).replace("triggers", "trigers"));

    expect(await run(folder, "backtest", "--rules", "edited")).toMatchObject({ code: 3, out: "" });
    expect((await run(folder, "backtest", "--rules", "config/rules/none")).code).toBe(2);
  });

  it("explains for each rule whether it runs for an event, also while the bot is stopped", async () => {
    const { code, out, err } = await run(folder, "why", "2");

    expect(code).toBe(0);
    expect(out).toContain('event 2, dm.received from @user_1001: "my refund"');
    expect(out).toContain("  refund would run\n");
    expect(out).toContain('hours: no match: wants the word "hours"');
    expect(err).toContain("Nothing was decided: it is not decided yet.");
  });

  it("says of no rule that it ran for an event that is not decided yet", async () => {
    const one = await run(folder, "why", "2", "--rule", "refund");
    const oneInJson = await run(folder, "why", "2", "--rule", "refund", "--json");
    const all = await run(folder, "why", "2", "--json");

    expect(one.out).toContain("refund (config/rules/faq.yaml:7) would run for event 2");
    expect(JSON.parse(oneInJson.out)).toMatchObject({ verdict: { outcome: "would-run" } });
    expect(all.out).toContain('"outcome":"would-run","reason":"matched"');
    expect(all.out).not.toContain('"outcome":"ran"');
  });

  it("names the failed clause of one rule", async () => {
    const { out } = await run(folder, "why", "5", "--rule", "hours");

    expect(out).toContain("hours (config/rules/faq.yaml:3) did NOT run for event 5");
    expect(out).toMatch(
      /conditions\[0\]\.message\.text +message\.text contains_word hours +no +"chat 4"/,
    );
  });

  it("lists the runs that an event started, or reports that there are none", async () => {
    const { code, out } = await run(folder, "trace", "2");

    expect(code).toBe(0);
    expect(out).toContain("this event started no run");
    expect((await run(folder, "trace", "2/rule:hours")).err).toContain("has no run 2/rule:hours");
  });

  it("lists the rules, and the differences from another folder", async () => {
    await writeFile(
      join(folder, "edited/faq.yaml"),
      file(HOURS.replace("9 to 5", "closed"), REFUND),
    );

    const list = await run(folder, "rules", "list", "--json");
    const diff = await run(folder, "rules", "diff", "--rules", "edited");

    expect(JSON.parse(list.out.split("\n")[0] ?? "")).toMatchObject({ id: "hours", stage: "live" });
    expect(diff.out).toContain("changed hours\n");
    expect(diff.out).toContain("gone    thanks\n");
    expect(diff.out).toMatch(/1 changed, 0 new, 1 gone, 0 open runs/);
  });

  it("names unknown rules and events", async () => {
    const rules = await run(folder, "why", "5", "--rule", "hour");
    const events = await run(folder, "why", "5000");

    expect(rules).toMatchObject({ code: 2, out: "" });
    expect(rules.err).toContain("did you mean hours?");
    expect(events.err).toContain("the journal has no event 5000");
  });
});

async function keepInJournal(folder: string): Promise<void> {
  const store = await openStore(`file:${folder}`);
  const at = Date.now() - 3_600_000;
  await store.append(
    TEXTS.map((text, n) => {
      const body = wire.message({ id: `${5000 + n}`, from: `${1000 + n}`, text, at: at + n });
      const event = translate(body, at + n)[0]?.event;
      if (event === undefined) throw new Error("no event");
      const { key, accountId: account, lane, kind } = event;
      const source = "webhook" as const;
      return {
        key,
        account,
        lane,
        kind,
        at,
        arrivedAt: at + n,
        source,
        body: JSON.stringify(body),
      };
    }),
  );
  await store.close();
}
