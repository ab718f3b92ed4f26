import { expect, it } from "vitest";
import { openLog } from "../../src/runtime/log.ts";

/** Writes one line, and reads it as text and as JSON. */
function logged(fields: object): { readonly line: string; readonly read: object } {
  let line = "";
  const destination = { write: (text: string) => void (line += text) };
  openLog({ level: "info", destination }).info(fields, "a message");
  return { line, read: JSON.parse(line) };
}

it("has each of a line's own fields once, whatever fields a handler adds", () => {
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

it("leaves other fields as they are", () => {
  const { read } = logged({ place: "here", err: new Error("broken") });
  expect(read).toMatchObject({ place: "here", err: { message: "broken" }, msg: "a message" });
});
