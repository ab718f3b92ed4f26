import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { glob } from "tinyglobby";
import {
  getLanguageService,
  type JSONDocument,
  type LanguageService,
  TextDocument,
} from "vscode-json-languageservice";
import { beforeAll, describe, expect, it } from "vitest";

/** The engine that editors use for a JSON Schema, also for YAML. */
let service: LanguageService;
beforeAll(async () => {
  const file = new URL("../../config/schema/rules.schema.json", import.meta.url);
  service = getLanguageService({});
  service.configure({
    schemas: [{ uri: "rules", fileMatch: ["*"], schema: JSON.parse(await readFile(file, "utf8")) }],
  });
});

function opened(text: string): { document: TextDocument; json: JSONDocument } {
  const document = TextDocument.create("file:///rules.json", "json", 1, text);
  return { document, json: service.parseJSONDocument(document) };
}

/** What an editor offers at the sign `|` of a rule. */
async function offeredIn(rule: string): Promise<readonly string[]> {
  const marked = `{"version": 1, "rules": [{"id": "a", ${rule}}]}`;
  const { document, json } = opened(marked.replace("|", ""));
  const list = await service.doComplete(document, document.positionAt(marked.indexOf("|")), json);
  return (list?.items ?? []).map(({ label }) => label);
}

describe("an editor completes", () => {
  it.each([
    ["a key of a rule", "|", ["triggers", "conditions", "actions", "cooldown"]],
    ["a trigger", '"triggers": [|]', ['"dm.received"', '"user.followed"']],
    ["a condition", '"conditions": [{|}]', ["message.text", "sender.followers_count", "any", "if"]],
    [
      "an operator of a text",
      '"conditions": [{"message.text": {|}}]',
      ["contains_word", "matches", "cased"],
    ],
    [
      "a condition in a condition",
      '"conditions": [{"any": [{"not": {|}}]}]',
      ["message.text", "all"],
    ],
    ["a step", '"actions": [{|}]', ["reply", "ask", "http", "if", "on_error"]],
    ["a step that stands alone", '"actions": [|]', ['"like"']],
    [
      "a step in a branch in a question",
      '"actions": [{"ask": {"on_timeout": [{"if": "true", "then": [{|}]}]}}]',
      ["reply_dm", "stop"],
    ],
    ["a way of a branch", '"actions": [{"if": "a", "else_if": [{|}]}]', ["name", "if", "then"]],
    [
      "a step under else_if",
      '"actions": [{"if": "a", "else_if": [{"if": "b", "then": [{|}]}]}]',
      ["reply_dm", "stop"],
    ],
    ["what a step takes", '"actions": [{"http": {|}}]', ["method", "url", "expect_status"]],
    [
      "what an event is asked that a step waits for",
      '"actions": [{"wait_for": {"conditions": [{|}]}}]',
      ["message.text"],
    ],
  ])("%s", async (_what, rule, wanted) => {
    expect(await offeredIn(rule)).toEqual(expect.arrayContaining([...wanted]));
  });

  it("no operator of numbers where a text is asked, and none of texts where a number is", async () => {
    expect(await offeredIn('"conditions": [{"message.text": {|}}]')).not.toContain("gt");
    expect(await offeredIn('"conditions": [{"sender.followers_count": {|}}]')).not.toContain(
      "matches",
    );
  });
});

describe("an editor marks", () => {
  const marked = async (rule: string) => {
    const { document, json } = opened(`{"version": 1, "rules": [{"id": "a", ${rule}}]}`);
    const found = await service.doValidation(document, json);
    return found.map(({ range }) => document.getText(range));
  };
  const REST = '"triggers": ["dm.received"], "actions": ["like"]';

  it.each([
    ['"conditions": [{"message.txt": "a"}]', '"message.txt"'],
    ['"conditions": [{"message.text": {"contain": "a"}}]', '"contain"'],
    ['"on_error": [{"if": "true", "then": [{"repyl": "a"}]}]', '"repyl"'],
  ])("the wrong word in %s", async (part, word) => {
    const found = await marked(`${REST}, ${part}`);

    expect(found.join("\n")).toContain(word);
  });

  it("nothing in a rule that is right", async () => {
    expect(await marked(REST)).toEqual([]);
  });
});

it("an editor finds nothing wrong with the rules that come with the project", async () => {
  const files = await glob(["config/rules/*.yaml", "examples/**/rules/*.yaml", "!**/*.test.yaml"]);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const { document, json } = opened(JSON.stringify(parse(await readFile(file, "utf8"))));
    const found = await service.doValidation(document, json);

    expect(
      found.map(({ message }) => message),
      file,
    ).toEqual([]);
  }
});
