import { describe, expect, it } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";

/** Returns the help of each problem of a condition. */
function helpFor(expression: string): readonly (string | undefined)[] {
  const rule = { id: "a", triggers: ["dm.received"], conditions: [{ if: expression }] };
  const text = JSON.stringify({ version: 1, rules: [{ ...rule, actions: ["stop"] }] });
  return compile([{ path: "a.yaml", text }]).problems.map(({ help }) => help);
}

describe("the help for an expression", () => {
  it.each([
    ["message.text == null", "message.text == ''"],
    ["null != message.text", "message.text != ''"],
    ["message.text is not null", "message.text != ''"],
    ["sender.location is null", "!has(sender.location)"],
    ["sender.location != None", "has(sender.location)"],
    ["message.text like '%order%'", "message.text.contains_any(['order'])"],
    ["message.text ~ 'order'", "message.text.contains_any(['order'])"],
    [
      "sender.followers_count between 10 and 20",
      "sender.followers_count >= 10 && sender.followers_count <= 20",
    ],
    ["5 < message.text.size() < 20", "5 < message.text.size() && message.text.size() < 20"],
    ["$sender.verified", "sender.verified"],
    ["sender.verified;", "sender.verified"],
    ["sender?.verified", "sender.verified"],
    ["if sender.verified then true else false", "sender.verified ? true : false"],
    ["'order' not in message.text", "!(message.text.contains_any(['order']))"],
    ["1 in message.hashtags", "'1' in message.hashtags"],
    ["message.hashtags['sale']", "'sale' in message.hashtags"],
  ])("gives the form of this language, which can be used: %s", (expression, form) => {
    const [help, ...more] = helpFor(expression);

    expect([help, ...more]).toEqual([`write  ${form}`]);
    expect(helpFor(form).filter((one) => one !== undefined && !one.includes(".same("))).toEqual([]);
  });

  it.each([
    ["sender.location.orValue(0) == 'x'", "write a value of the same type, as  .orValue('')"],
    ["sender.followers_count.orValue('') > 1", "write a value of the same type, as  .orValue(0)"],
    ["message.text.size > 3", "call it:  .size()"],
    ["(sender.verified ? 'a' : 1) == 'a'", "both values are texts, or both are numbers"],
    ["1 in [1, 'a']", "all items are texts, or all are numbers"],
    ["-message.text < 1", "write  -number(message.text)  to convert it"],
    ["has(message.text == 'x')", "has takes a field, as  has(message.text)"],
    [
      "message.hashtags.exists(h => h == 'a')",
      'an expression has no functions of its own; for lists there is "in":  "a" in message.hashtags',
    ],
  ])("names the types that fit: %s", (expression, help) => {
    expect(helpFor(expression)).toEqual([help]);
  });
});
