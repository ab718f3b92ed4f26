import { describe, expect, it, test } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { bestLanguage } from "../../../src/rules/texts/language.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, play } from "../support/playing.ts";

const TEXTS = `texts:
  hours: {en: [Open at nine., We open at nine.], de: Ab neun., pt-BR: Às nove.}
  greeting: "Hi \${{ sender.name }}!"
  both: {en: "\${{ texts.greeting }} \${{ texts.once }}"}
  once: Bye.
`;
const rule = (step: string, trigger = "dm.received") =>
  `${TEXTS}rules: [{id: a, triggers: [${trigger}], actions: [${step}]}]`;

/** Returns the texts that the steps send. */
function said(event: AccountEvent, step: string): readonly unknown[] {
  const trigger = event.kind === "post" ? "post.mentioned" : "dm.received";
  return actionsOf(play(event, rulesetOf(rule(step, trigger)))).map((action) =>
    "text" in action ? action.text : action.type,
  );
}

describe("a text in several languages", () => {
  test.each([
    [postMentioned({ lang: "de" }), "Ab neun.", "the language of the post"],
    [postMentioned({ lang: "PT" }), "Às nove.", "a language of the same name"],
    [postMentioned({ lang: "de-AT" }), "Ab neun.", "a country's form of it"],
    [postMentioned({ lang: "und" }), "nine", "the first, for what is no language"],
    [postMentioned({ lang: "fr" }), "nine", "the first, for a language that there is not"],
    [messageReceived(), "nine", "the first, since the platform tells no language of messages"],
  ])("is in the person's language, otherwise in the first one: %#", (event, text, _why) => {
    expect(said(event, "{reply: {say: hours}}")).toEqual([expect.stringContaining(text)]);
  });

  test.each([
    ["iw", "he"],
    ["in", "id"],
    ["tl", "fil"],
    ["no", "nb"],
    ["he", "iw"],
    ["zh-TW", "zh"],
  ])(
    "is found by the old code of a language, which the platform reports: %s for %s",
    (reported, offered) => {
      expect(bestLanguage(reported, ["en", offered])).toBe(1);
    },
  );

  it("is in the first language if the named one is no language tag", () => {
    expect(bestLanguage("en_US", ["de", "en"])).toBe(0);
    expect(bestLanguage("", ["de", "en"])).toBe(0);
  });

  it("is in the language that the step names", () => {
    expect(said(messageReceived(), "{reply: {say: hours, lang: de}}")).toEqual(["Ab neun."]);
    expect(
      said(
        messageReceived(),
        '{reply: {say: hours, lang: \'${{ sender.username == "ana" ? "pt" : "en" }}\'}}',
      ),
    ).toEqual(["Às nove."]);
  });

  it("has the variant drawn by the event's key: the same in a replay, each one in turn", () => {
    const texts = Array.from({ length: 60 }, (_, number) =>
      said(messageReceived({ id: String(number) }), "{reply: {say: hours}}"),
    ).flat();
    const again = said(messageReceived({ id: "7" }), "{reply: {say: hours}}");

    expect(again).toEqual([texts[7]]);
    const first = texts.filter((text) => text === "Open at nine.").length;
    expect(first).toBeGreaterThan(15);
    expect(first).toBeLessThan(45);
  });

  it("is filled in for the event, and may contain other texts", () => {
    expect(said(messageReceived(), "{reply_dm: {say: greeting}}")).toEqual(["Hi Ana!"]);
    expect(said(messageReceived(), "{reply_dm: {say: both}}")).toEqual(["Hi Ana! Bye."]);
    expect(
      said(messageReceived(), '{reply_dm: "${{ texts.once }} ${{ texts.greeting }}"}'),
    ).toEqual(["Bye. Hi Ana!"]);
  });

  test.each(["reply", "reply_post", "create_post", "quote"])("is sent by %s, too", (verb) => {
    expect(said(postMentioned({ lang: "de" }), `{${verb}: {say: hours}}`)).toEqual(["Ab neun."]);
  });
});

describe("a text of the file", () => {
  const problemsOf = (text: string) =>
    compile([{ path: "a.yaml", text: `version: 1\n${text}` }]).problems.map(
      ({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`,
    );

  it("is checked at its place for each rule that uses it", () => {
    const two = `texts: {where: "From \${{ post.text }}"}
rules:
  - {id: a, triggers: [dm.received], actions: [{reply_dm: {say: where}}]}
  - {id: b, triggers: [post.mentioned], actions: [{reply_dm: {say: where}}]}`;

    expect(problemsOf(two)).toEqual([
      '2:26 field-not-on-trigger: "post.text" does not exist on trigger dm.received, where rule "a" uses it',
    ]);
  });

  it("must fit in a post if it is published", () => {
    const text = `texts: {long: ${"x".repeat(281)}}\nrules: [{id: a, triggers: [post.mentioned], actions: [{STEP: {say: long}}]}]`;

    expect(problemsOf(text.replace("STEP", "reply_post"))).toEqual([
      expect.stringContaining("2:15 post-too-long"),
    ]);
    expect(problemsOf(text.replace("STEP", "reply_dm"))).toEqual([]);
  });

  it("publishes no private message", () => {
    const text = `texts: {told: "They said \${{ message.text }}"}\nrules: [{id: a, triggers: [dm.received], actions: [{create_post: {say: told}}]}]`;

    expect(problemsOf(text)).toEqual([expect.stringContaining("private-to-public")]);
  });

  it("may be unused if it is valid", () => {
    expect(problemsOf(`texts: {spare: "\${{ nothing.here }}"}\nrules: []`)).toEqual([]);
  });

  it("changes the revision of the rules that use it, also through another text", () => {
    const revisionOf = (text: string) =>
      compile([{ path: "a.yaml", text: `version: 1\n${text}` }]).ruleset.rules[0]?.revision;
    const says = (name: string) => rule(`{reply_dm: {say: ${name}}}`);

    expect(revisionOf(says("both").replace("Bye.", "Ciao."))).not.toBe(revisionOf(says("both")));
    expect(revisionOf(says("hours").replace("Bye.", "Ciao."))).toBe(revisionOf(says("hours")));
  });
});

test.each([
  ["en-GB", ["de", "en"], 1],
  ["zh-Hant", ["zh-Hans", "en"], 0],
  ["zh-TW", ["en", "zh-Hans", "zh-Hant"], 2],
  ["zh-HK", ["en", "zh-CN", "zh-TW"], 2],
  ["zh", ["en", "zh-TW", "zh-CN"], 2],
  ["sr-Latn-RS", ["sr-Cyrl", "sr-Latn"], 1],
  ["sr", ["sr-Latn", "sr-Cyrl"], 1],
  ["pt", ["pt-BR", "pt-PT"], 0],
  ["EN", ["de", "en-US", "en"], 2],
  [undefined, ["de", "en"], 0],
  ["", ["de", "en"], 0],
])("ranks %s: the best of %j is number %i", (wanted, offered, best) => {
  expect(bestLanguage(wanted, offered)).toBe(best);
});

describe("the end of an expression", () => {
  test.each([
    [`\${{ {"a": {"b": "x"}}.a.b }}`, "x", "a map in a map"],
    [`\${{ {"a": {"b": {"c": "x"}}}.a.b.c }}!`, "x!", "maps in maps"],
    [`\${{{"a": "x"}.a}}`, "x", "no spaces"],
    [`\${{ {"a": "}}"}.a }} }}`, "}} }}", "braces in a text"],
    [`\${{ "{" }} and \${{ "x" }}`, "{ and x", "a brace in a text"],
    [`\${{ "x" }}}`, "x}", "a brace behind it"],
  ])("is outside of its maps and texts: %s", (text, sent) => {
    expect(said(messageReceived(), `{reply_dm: '${text}'}`)).toEqual([sent]);
  });
});
