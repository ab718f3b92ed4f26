import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { NamedFile } from "../../../src/rules/named-files.ts";
import { recompile } from "../../../src/rules/compile/recompile.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { actionsOf, play } from "../support/playing.ts";

const PICTURE = { bytes: 70, type: "image/png" } as const;
const MIB = 1024 * 1024;

const compiled = (step: string, named: Readonly<Record<string, NamedFile>>) => {
  const rule = `{id: a, triggers: [post.mentioned, dm.received], actions: [${step}]}`;
  const text = `version: 1\nrules: [${rule}]`;
  return compile([{ path: "rules/a.yaml", text, named }]);
};

describe("a picture or video beside a text", () => {
  const file = { "rules/media/hours.png": PICTURE };
  const said = "{text: See, media: media/hours.png}";

  test.each([
    { step: `{reply_dm: ${said}}`, type: "reply_dm" },
    { step: `{reply_post: ${said}}`, type: "reply_post" },
    { step: `{reply: ${said}}`, type: "reply_post" },
    { step: `{create_post: ${said}}`, type: "create_post" },
  ])("is sent with the text: $step", ({ step, type }) => {
    const text = `version: 1\nrules: [{id: a, triggers: [post.mentioned], actions: [${step}]}]`;
    const { ruleset, problems } = compile([{ path: "rules/a.yaml", text, named: file }]);

    expect(problems).toEqual([]);
    expect(actionsOf(play(postMentioned(), ruleset))).toMatchObject([
      { type, text: "See", media: "media/hours.png" },
    ]);
  });

  it("is refused in a quote", () => {
    const text = `version: 1\nrules: [{id: a, triggers: [post.mentioned], actions: [{quote: ${said}}]}]`;

    expect(compile([{ path: "rules/a.yaml", text, named: file }]).problems).toMatchObject([
      {
        code: "unknown-key",
        help: '"media" works in: reply, reply_dm, reply_post, create_post',
      },
    ]);
  });

  it("is part of the rule's revision, and of the text stored for its runs", () => {
    const step = `{reply: ${said}}`;
    const [one] = compiled(step, file).ruleset.rules;
    const other = { "rules/media/hours.png": { ...PICTURE, bytes: 71 } };
    if (one === undefined) throw new Error("no rule");

    expect(compiled(step, other).ruleset.rules[0]?.revision).not.toBe(one.revision);
    const again = recompile({ ruleId: "a", revision: one.revision, ...one.source });
    expect(actionsOf(play(messageReceived(), compiled(step, file).ruleset))).toMatchObject([
      { type: "reply_dm", media: "media/hours.png" },
    ]);
    expect(again?.revision).toBe(one.revision);
  });

  test.each<{ media: string; named: NamedFile | undefined; code: string; message: string }>([
    {
      media: "x.png",
      named: undefined,
      code: "named-file",
      message: "the file x.png is not there",
    },
    {
      media: "../../x.png",
      named: { refused: "outside" },
      code: "named-file",
      message: "lies outside the project",
    },
    { media: "x.pdf", named: undefined, code: "media-file", message: "not a picture or video" },
    {
      media: "x.png",
      named: { bytes: 9, type: "image/jpeg" },
      code: "media-file",
      message: "the file x.png is of type image/jpeg by its content",
    },
    {
      media: "x.png",
      named: { bytes: 9 },
      code: "media-file",
      message: "the file x.png is neither picture nor video by its content",
    },
    {
      media: "x.png",
      named: { bytes: 6 * MIB, type: "image/png" },
      code: "media-file",
      message: "the file x.png has 6 MiB; the platform accepts 5 MiB for a picture",
    },
    {
      media: "x.gif",
      named: { bytes: 16 * MIB, type: "image/gif" },
      code: "media-file",
      message: "accepts 15 MiB for a gif",
    },
    {
      media: "'${{ sender.id }}.png'",
      named: undefined,
      code: "media-file",
      message: "which file is sent can't depend on the event",
    },
  ])("is refused when the rules are loaded: $message", ({ media, named, code, message }) => {
    const path = media.startsWith("../../") ? "../x.png" : `rules/${media}`;
    const { problems } = compiled(
      `{reply: {text: See, media: ${media}}}`,
      named === undefined ? {} : { [path]: named },
    );

    expect(problems).toMatchObject([{ code }]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.help).toMatch(/\S/);
  });
});
