import { expect, it } from "vitest";
import { stateFolder } from "../../../src/system/files/state-folder.ts";

it.each([
  { why: "named", environment: { XDG_STATE_HOME: "/s", HOME: "/h" }, folder: "/s/answerback" },
  { why: "not named", environment: { HOME: "/h" }, folder: "/h/.local/state/answerback" },
  {
    why: "relative: to be ignored",
    environment: { XDG_STATE_HOME: "s", HOME: "/h" },
    folder: "/h/.local/state/answerback",
  },
  { why: "no home", environment: {}, folder: undefined },
  { why: "an odd home", environment: { HOME: "" }, folder: undefined },
])("the folder of this machine's state is $folder: $why", ({ environment, folder }) => {
  expect(stateFolder(environment)).toBe(folder);
});
