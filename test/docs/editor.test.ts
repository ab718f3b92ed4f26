import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { glob } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { LanguageServer, type Mark, type Offer } from "./language-server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** URL of the schema. It encodes blanks in the path: a blank would end the `$schema` value in the comment. */
const RULES_SCHEMA = pathToFileURL(join(ROOT, "config/schema/rules.schema.json")).href;

/** YAML language server that editors use. */
let server: LanguageServer;
beforeAll(async () => {
  server = await LanguageServer.start();
});
afterAll(() => server.stop());

let count = 0;
const nextUri = (): string => `file:///rules/${++count}.yaml`;

/** Returns a rule file whose rule has `keys`, and whose first line names the packaged schema. */
const ruleFile = (keys: string): string =>
  `# yaml-language-server: $schema=${RULES_SCHEMA}
version: 1
rules:
  - id: a
${keys.replaceAll(/^/gm, "    ")}
`;

/** Returns the position of the sign `|` in a text, and the text without this sign. */
function marked(text: string): { text: string; position: { line: number; character: number } } {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { text: text.replace("|", ""), position };
}

/** Returns the editor's completions at the sign `|` of a rule. */
async function offered(keys: string): Promise<readonly Offer[]> {
  const { text, position } = marked(ruleFile(keys));
  const uri = nextUri();
  void server.open(uri, text);
  return server.complete(uri, position);
}

const labelsIn = async (keys: string): Promise<readonly string[]> =>
  (await offered(keys)).map(({ label }) => label);

describe("an editor completes", () => {
  it.each([
    ["a key of a rule", "|", ["triggers", "conditions", "actions", "cooldown"]],
    ["a trigger", "triggers:\n  - |", ["dm.received", "user.followed"]],
    ["a condition", "conditions:\n  - |", ["message.text", "sender.followers_count", "any", "if"]],
    [
      "an operator of a text",
      "conditions:\n  - message.text:\n      |",
      ["contains_word", "matches", "cased"],
    ],
    ["an operator of a time", "conditions:\n  - now:\n      |", ["within", "older_than"]],
    [
      "a condition in a condition",
      "conditions:\n  - any:\n      - all:\n          - |",
      ["message.text", "not"],
    ],
    ["a step", "actions:\n  - |", ["reply", "ask", "http", "if", "on_error", "like"]],
    ["what a step takes", "actions:\n  - http:\n      |", ["method", "url", "expect_status"]],
    ["a word of a key", "mode: |", ["single", "restart", "queued", "parallel"]],
    [
      "a step in a branch in a question",
      "actions:\n  - ask:\n      on_timeout:\n        - if: a\n          then:\n            - |",
      ["reply_dm", "stop"],
    ],
    ["a way of a branch", "actions:\n  - if: a\n    else_if:\n      - |", ["name", "if", "then"]],
    ["a step side by side", "actions:\n  - parallel:\n      one:\n        - |", ["delay", "call"]],
    ["what an answer must be like", "actions:\n  - ask:\n      expect:\n        |", ["matches"]],
    [
      "what an event is asked that a step waits for",
      "actions:\n  - wait_for:\n      conditions:\n        - |",
      ["message.text"],
    ],
  ])("%s", async (_what, keys, wanted) => {
    expect(await labelsIn(keys)).toEqual(expect.arrayContaining([...wanted]));
  });

  it("no operator of numbers for a text field, and none of texts for a number", async () => {
    expect(await labelsIn("conditions:\n  - message.text:\n      |")).not.toContain("gt");
    expect(await labelsIn("conditions:\n  - sender.followers_count:\n      |")).not.toContain(
      "matches",
    );
  });

  it("each trigger, step and operator with its meaning", async () => {
    const said = async (keys: string, label: string): Promise<string> =>
      JSON.stringify((await offered(keys)).find((one) => one.label === label)?.documentation);

    expect(await said("triggers:\n  - |", "link.lost")).toContain("no longer arrive");
    expect(await said("actions:\n  - |", "escalate")).toContain("Ask a person to take over.");
    expect(await said("conditions:\n  - message.text:\n      |", "ends_with")).toContain(
      "The text ends with one of these.",
    );
  });
});

describe("an editor shows, under the pointer,", () => {
  it.each([
    ["what a trigger tells of", "triggers: [user.foll|owed]", "A person follows the account."],
    [
      "what a key is for",
      "cool|down: { per: sender, for: 1h }",
      "Run at most once in this time, for each person or another scope.",
    ],
    ["what a step does", "actions:\n  - esca|late: { queue: a }", "Ask a person to take over."],
    [
      "what an operator asks",
      "conditions:\n  - message.text: { ends_|with: a }",
      "The text ends with one of these.",
    ],
  ])("%s", async (_what, keys, hoverText) => {
    const { text, position } = marked(ruleFile(keys));
    const uri = nextUri();
    void server.open(uri, text);

    expect(await server.hover(uri, position)).toContain(hoverText);
  });
});

// The server delays its diagnostics, so the cases run concurrently.
describe.concurrent("an editor marks", () => {
  const REST = "triggers: [dm.received]\nactions: [like]\n";
  const markedIn = async (keys: string): Promise<readonly string[]> => {
    const text = ruleFile(keys);
    return (await server.open(nextUri(), text)).map((mark) => wordAt(text, mark));
  };

  it.each([
    [`${REST}conditions: [{ message.txt: a }]`, "message.txt"],
    [`${REST}conditions: [{ message.text: { contain: a } }]`, "contain"],
    [`${REST}on_error: [{ if: "true", then: [{ repyl: a }] }]`, "repyl"],
    ["triggers: [dm.recieved]\nactions: [like]", "dm.recieved"],
    ["triggers: [dm.received]\nactions: [{ http: { url: a, metod: GET } }]", "metod"],
  ])("the wrong word in %s", async (keys, word) => {
    expect(await markedIn(keys)).toEqual([word]);
  });

  it("nothing in a rule that is right", async () => {
    expect(await markedIn(REST)).toEqual([]);
  });

  it("no number where check reads a text", async () => {
    const condition = "conditions: [{ message.text: { contains_word: [24, 7] } }]\n";

    expect(await markedIn(`${condition}triggers: [dm.received]\nactions: [{ reply: 42 }]`)).toEqual(
      [],
    );
  });

  it("a wrong word in settings, and no variable in its place", async () => {
    const settings = RULES_SCHEMA.replace("rules.schema", "answerback.schema");
    const head = `# yaml-language-server: $schema=${settings}\nversion: 1\n`;
    const { text, position } = marked(`${head}target: |`);
    const uri = nextUri();
    void server.open(uri, text);
    const labels = (await server.complete(uri, position)).map(({ label }) => label);
    const wrong = `${head}target: sandbx`;
    const right = `${head}target: \${{ env.T }}\nstore: \${{ env.DATABASE_URL }}\naccounts: [007]\n`;

    expect(labels).toEqual(expect.arrayContaining(["sandbox", "live"]));
    const marks = await server.open(nextUri(), wrong);
    expect(marks.map((mark) => wordAt(wrong, mark))).toEqual(["sandbx"]);
    expect(await server.open(nextUri(), right)).toEqual([]);
  });

  it("no name in letters of another language", async () => {
    const text = `${ruleFile(REST)}texts: { öffnung: We open at nine. }\n`;

    expect(await server.open(nextUri(), text)).toEqual([]);
  });
});

function wordAt(text: string, { range: { start, end } }: Mark): string {
  return (text.split("\n")[start.line] ?? "").slice(start.character, end.character);
}

describe("a project's files", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-editor-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns the mistakes that the editor marks in a file whose key `version` is misspelt. */
  async function slipIn(file: string): Promise<readonly string[]> {
    const text = (await readFile(file, "utf8")).replace(/^version:/m, "verison:");
    const marks = await server.open(pathToFileURL(file).href, text);
    return marks.map(({ message }) => message);
  }

  const SLIP: unknown = expect.arrayContaining([expect.stringContaining("verison")]);

  it("name a schema that init has written beside them, wherever the package is", async () => {
    await run(folder, "init", "made", "--template", "faq");
    const files = await glob("**/*.yaml", { cwd: join(folder, "made"), absolute: true });

    expect(files).toHaveLength(3);
    expect(await Promise.all(files.map(slipIn))).toEqual(files.map(() => SLIP));
  });

  it("name one that check --schema writes, unless they name one that is there", async () => {
    const project = join(folder, "older");
    const files = {
      "config/answerback.yaml": "version: 1\nrules: [../rules/*.yaml]\n",
      "config/live.yaml": "\uFEFFversion: 1\n",
      "rules/bare.yaml": "version: 1\nrules: []\n",
      "rules/gone.yaml":
        "# yaml-language-server: $schema=../node_modules/answerback/rules.json\n# mine\nversion: 1\nrules: []\n",
      "rules/own.yaml": `# yaml-language-server: $schema=${RULES_SCHEMA}\nversion: 1\nrules: []\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
    const first = await run(project, "check", "--schema");
    const again = await run(project, "check", "--schema");

    expect(first.code, first.out).toBe(0);
    expect(first.err).toContain("written: config/schema/rules.schema.json\n");
    expect(first.err).not.toContain("written: rules/own.yaml");
    expect(again.err).not.toContain("written");
    expect(await readFile(join(project, "config/live.yaml"), "utf8")).toBe(
      "\uFEFF# yaml-language-server: $schema=schema/answerback.schema.json\nversion: 1\n",
    );
    expect(await readFile(join(project, "rules/gone.yaml"), "utf8")).toBe(
      "# yaml-language-server: $schema=../config/schema/rules.schema.json\n# mine\nversion: 1\nrules: []\n",
    );
    const all = Object.keys(files).map((name) => join(project, name));
    expect(await Promise.all(all.map(slipIn))).toEqual(all.map(() => SLIP));
  });

  it("name one by its URL if its folder has a space in its name", async () => {
    const project = join(folder, "blank");
    const settings = join(project, "my settings/answerback.yaml");
    const rules = join(project, "rules/bare.yaml");
    await mkdir(dirname(settings), { recursive: true });
    await mkdir(dirname(rules), { recursive: true });
    await writeFile(settings, "version: 1\nrules: [../rules/*.yaml]\n");
    await writeFile(rules, "version: 1\nrules: []\n");
    const args = ["check", "--schema", "--config", settings];
    const first = await run(project, ...args);
    const again = await run(project, ...args);

    expect(first.code, first.out).toBe(0);
    expect(again.err).not.toContain("written");
    expect(await Promise.all([settings, rules].map(slipIn))).toEqual([SLIP, SLIP]);
  });

  it("of this project have no mistakes", async () => {
    const shown = join(folder, "shown");
    await cp(join(ROOT, "config/schema"), join(shown, "schema"), { recursive: true });
    const rules = await glob(["config/rules/*.yaml", "examples/**/rules/*.yaml"], { cwd: ROOT });
    const diagnostics = rules.map(async (file) => {
      const schema = file.endsWith(".test.yaml") ? "rule-tests" : "rules";
      const text = await readFile(join(ROOT, file), "utf8");
      const line = `# yaml-language-server: $schema=${pathToFileURL(shown).href}/schema/${schema}.schema.json\n`;
      const own = text.replace(/^# yaml-language-server.*\n/, "");
      const marks = await server.open(nextUri(), line + own);
      return marks.map(({ message }) => `${file}: ${message}`);
    });

    expect(rules.length).toBeGreaterThan(5);
    expect((await Promise.all(diagnostics)).flat()).toEqual([]);
  });
});
