import { expect, test } from "vitest";
import { numberGroups } from "../../../../src/rules/expression/patterns/number-groups.ts";

test.each([
  [String.raw`^guests (?P<n>\d+)$`, { n: "whole" }],
  [String.raw`(?<n>[0-9]{1,3})`, { n: "whole" }],
  [String.raw`(?P<n>[1-9]\d*)`, { n: "whole" }],
  [String.raw`(?P<n>-?\d+)`, { n: "whole" }],
  [String.raw`(?P<n>[+-]?\d+)`, { n: "whole" }],
  [String.raw`(?P<n>[[:digit:]]+)`, { n: "whole" }],
  [String.raw`(?P<a>\d+) (?:to|-) (?P<b>\d+)`, { a: "whole", b: "whole" }],
  [String.raw`(?P<n>1|2|30)`, { n: "whole" }],
  [String.raw`(?P<n>\d+(?:\.\d+)?)`, { n: "decimal" }],
  [String.raw`(?P<n>\d+\.\d{2})`, { n: "decimal" }],
  [String.raw`(?P<n>\d+|\d+\.\d+)`, { n: "decimal" }],
  [String.raw`in (?P<n>\d+) ?(?P<unit>min|h)`, { n: "whole" }],
  [String.raw`(?:(?P<n>\d+)){1}`, { n: "whole" }],
  [String.raw`(?:x(?P<n>\d+))+`, { n: "whole" }],
  // the group may have no part in the match
  [String.raw`(?P<n>\d+)?`, { n: "whole or absent" }],
  [String.raw`(?:at (?P<n>\d+))?`, { n: "whole or absent" }],
  [String.raw`(?P<n>\d+)|none`, { n: "whole or absent" }],
  [String.raw`(?P<n>\d+\.\d)|none`, { n: "decimal or absent" }],
  // the group may capture an empty text
  [String.raw`(?P<n>\d*)`, {}],
  [String.raw`(?P<n>(?:\d+)?)`, {}],
  [String.raw`(?P<n>\d{0,2})`, {}],
  // the group may capture more than a number
  [String.raw`(?P<n>\d+h)`, {}],
  [String.raw`(?P<n>\w+)`, {}],
  [String.raw`(?P<n>[\d.]+)`, {}],
  [String.raw`(?P<n>\d+\.\d+\.\d+)`, {}],
  [String.raw`(?P<n>(?:\d+\.)+\d)`, {}],
  [String.raw`(?P<n>\d+-\d+)`, {}],
  [String.raw`(?P<n>-+\d+)`, {}],
  [String.raw`(?P<n>\.)`, {}],
  [String.raw`(?P<n>\pN+)`, {}],
])("%s has numbers in %o", (pattern, groups) => {
  const numbers = [...numberGroups(pattern)].map(([name, { kind, mayBeAbsent }]) => [
    name,
    mayBeAbsent ? `${kind} or absent` : kind,
  ]);

  expect(Object.fromEntries(numbers)).toEqual(groups);
});
