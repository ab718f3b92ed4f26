import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MESSAGE_CODES } from "../../../src/rules/message-codes.ts";
import { mistakeCases } from "../support/mistake-cases.ts";

const SRC = new URL("../../../src/", import.meta.url);
const FOLDERS = ["config", "rules/compile", "rules/operators", "rules/steps"];

describe("the codes of messages", () => {
  it("have the entries in the documents that the code defines", () => {
    const codes = FOLDERS.flatMap((folder) =>
      readdirSync(new URL(folder, SRC), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => [
          ...readFileSync(new URL(`${folder}/${file}`, SRC), "utf8").matchAll(
            /\bcode: "([a-z]+(?:-[a-z\d]+)+)"/g,
          ),
        ])
        .map(([, code = ""]) => code),
    );

    expect([...new Set(codes)].filter((code) => !Object.hasOwn(MESSAGE_CODES, code))).toEqual([]);
  });

  it("have the entries that the table of mistakes shows", () => {
    const shown = [
      "yaml",
      "keys",
      "conditions",
      "steps",
      "flow",
      "shared",
      "calls",
      "triggers",
      "project",
    ]
      .flatMap((name) => mistakeCases(`${name}.txt`))
      .flatMap(({ annotated }) => [...annotated.matchAll(/^\s*\^~* ([a-z\d-]+)/gm)])
      .map(([, code = ""]) => code);

    expect(shown.filter((code) => !Object.hasOwn(MESSAGE_CODES, code))).toEqual([]);
  });
});
