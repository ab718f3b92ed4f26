import { expect, it } from "vitest";
import { openLog } from "../../src/runtime/log.ts";

/** Writes one line, and returns it as text and as JSON. */
function logged(fields: object): { readonly line: string; readonly read: object } {
  let line = "";
  const destination = { write: (text: string) => void (line += text) };
  openLog({ level: "info", destination }).info(fields, "a message");
  return { line, read: JSON.parse(line) };
}

it("contains each field once, whatever fields a handler adds", () => {
  const { line, read } = logged({ level: "none", time: "never", msg: "another", place: "here" });
  for (const name of ["level", "time", "msg"]) expect(line.split(`"${name}":`)).toHaveLength(2);
  expect(read).toMatchObject({
    level: 30,
    msg: "a message",
    field_level: "none",
    field_time: "never",
    field_msg: "another",
    place: "here",
  });
});

it.each([
  { level: "info", stacks: 0, why: "an operator reads sentences" },
  { level: "debug", stacks: 2, why: "somebody looks for a fault" },
])(
  "writes stacks of errors and their parts only at level debug: $level, $why",
  ({ level, stacks }) => {
    let line = "";
    const destination = { write: (text: string) => void (line += text) };
    const err = new AggregateError([new Error("first")], "both failed");

    openLog({ level, destination }).error({ err }, "sending failed");

    expect(JSON.parse(line)).toMatchObject({
      msg: "sending failed",
      err: { message: "both failed" },
    });
    expect(line.split('"stack":')).toHaveLength(stacks + 1);
    expect(line).toContain("first");
  },
);

it("does not change other fields", () => {
  const { read } = logged({ place: "here", err: new Error("broken") });
  expect(read).toMatchObject({ place: "here", err: { message: "broken" }, msg: "a message" });
});
