import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { checkFiles } from "../../../src/cli/check/check-files.ts";

let folder: string;
beforeEach(makeFolder);
afterEach(removeFolder);

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "answerback-check-"));
}

async function removeFolder(): Promise<void> {
  await rm(folder, { recursive: true });
}

/** Creates a folder, calls `check` there, and removes the folder. Several tests share one result. */
async function inFolder<T>(check: () => Promise<T>): Promise<T> {
  await makeFolder();
  try {
    return await check();
  } finally {
    await removeFolder();
  }
}

const input = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

/** Writes a project and checks it. Returns lines such as `file:line:column severity: message (help)`. */
async function problemsOf(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof checkFiles>[2] = {},
): Promise<readonly string[]> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { problems } = await checkFiles({ cwd: folder, env: {}, input }, [], options);
  return problems.map(
    ({ file, line, column, length, severity, code, message, help }) =>
      `${file}:${line}:${column}-${column + length} ${severity} ${code}: ${message} (${help})`,
  );
}

/** Problems of one file, without the file's name. */
const problemsIn = (file: string, lines: readonly string[]): readonly string[] =>
  lines.flatMap((one) => (one.startsWith(`${file}:`) ? [one.slice(file.length + 1)] : []));

/** A rule that calls a function of a module, and the expected problems. */
interface Called {
  readonly why: string;
  readonly target: string;
  /** Source text of the module that the rule calls; by default that of `codes.ts`. */
  readonly module?: string;
  readonly messages: readonly string[];
}

const ruleFile = (at: number): string => `config/rules/rule-${at}.yaml`;

const rule = (target: string) => `version: 1
rules:
  - id: codes
    triggers: [dm.received]
    actions:
      - call: ${target}
`;
const CODES = `
interface Input { readonly code: string }
export async function redeem({ code }: Input) { return code; }
export async function check({ code }: Input) { return code; }
export const limit = 3;
`;

describe("a module that a rule calls", () => {
  const MODULES: readonly Called[] = [
    {
      why: "a function that is there",
      target: "./modules/codes.ts#redeem",
      messages: [],
    },
    {
      why: "a slip in its name",
      target: "./modules/codes.ts#reedem",
      messages: [
        '6:15-40 error call-target: ./modules/codes.ts exports no "reedem" (did you mean "redeem"?)',
      ],
    },
    {
      why: "a name that is not there",
      target: "./modules/codes.ts#give",
      messages: [
        '6:15-38 error call-target: ./modules/codes.ts exports no "give" (it exports: check, redeem)',
      ],
    },
    {
      why: "what is no function",
      target: "./modules/codes.ts#limit",
      messages: [
        '6:15-39 error call-target: "limit" of ./modules/codes.ts is not a function (it exports: check, redeem)',
      ],
    },
    {
      why: "a module that is not there",
      target: "./modules/code.ts#redeem",
      messages: [
        '6:15-39 error call-target: there is no module ./modules/code.ts (did you mean "./modules/codes.ts"?)',
      ],
    },
    {
      why: "a module that can't be read",
      target: "./modules/broken.ts#redeem",
      module: "export async function redeem(input: { code: string }) {\n  return input.;\n}\n",
      messages: [
        '6:15-41 error call-target: ./modules/broken.ts can\'t be loaded: Expected identifier but found ";" (look at config/rules/modules/broken.ts:2:16)',
      ],
    },
    {
      why: "a module that throws when it is imported",
      target: "./modules/throws.ts#redeem",
      module:
        'export async function redeem() {}\nconst url: string = process.env["NOWHERE"]!.trim();\n',
      messages: [
        "6:15-41 error call-target: ./modules/throws.ts can't be loaded: TypeError: Cannot read properties of undefined (reading 'trim') (look at config/rules/modules/throws.ts:2:45)",
      ],
    },
    {
      why: "a module that imports what is not there",
      target: "./modules/imports.ts#redeem",
      module: 'import { db } from "./nowhere.ts";\nexport const redeem = () => db;\n',
      messages: [
        "6:15-42 error call-target: ./modules/imports.ts can't be loaded: Cannot find module './nowhere.ts' (look at config/rules/modules/imports.ts:1:21)",
      ],
    },
  ];

  describe("is looked at", () => {
    // All modules are in one project, because each run of `check` starts a worker thread, which is slow.
    let lines: readonly string[];
    beforeAll(async () => {
      const files = MODULES.map(({ target, module }, at) => ({
        [ruleFile(at)]: rule(target).replace("id: codes", `id: codes-${at}`),
        ...(module !== undefined && {
          [`config/rules/${target.slice(2, target.indexOf("#"))}`]: module,
        }),
      }));
      lines = await inFolder(() =>
        problemsOf({
          "config/answerback.yaml": "version: 1\n",
          "config/rules/modules/codes.ts": CODES,
          ...Object.assign({}, ...files),
        }),
      );
    });

    test.each(MODULES.map((row, at) => ({ ...row, at })))("$why", ({ at, messages }) => {
      expect(problemsIn(ruleFile(at), lines)).toEqual(messages);
    });

    it("and no other problem is reported", () => {
      expect(lines).toHaveLength(MODULES.flatMap(({ messages }) => messages).length);
    });
  });

  it("is not called, and is reported if it hangs or ends its process", async () => {
    const lines = await problemsOf(
      {
        "config/answerback.yaml": "version: 1\n",
        "config/rules/a.yaml": rule("./loops.ts#f"),
        "config/rules/b.yaml": rule("./ends.ts#f").replace("id: codes", "id: others"),
        "config/rules/c.yaml": rule("./calls.ts#f").replace("id: codes", "id: third"),
        "config/rules/loops.ts": "export const f = () => 1;\nfor (;;);\n",
        "config/rules/ends.ts": "export const f = () => 1;\nprocess.exit(0);\n",
        "config/rules/calls.ts": 'export const f = () => { throw new Error("called"); };\n',
      },
      { moduleTimeoutMs: 2_000 },
    );

    expect(lines).toEqual([
      expect.stringMatching(
        /a\.yaml:6:15.*loops\.ts can't be loaded: not loaded within 2000 ms of processor time \(look at config\/rules\/loops\.ts:/,
      ),
      expect.stringMatching(/b\.yaml:6:15.*ends\.ts can't be loaded: /),
    ]);
  }, 120_000);

  it("is reported once for all rules that use the file", async () => {
    const used = (as: string) => `version: 1\nuse: [{file: ../shared/codes.yaml, as: ${as}}]\n`;
    const lines = await problemsOf({
      "config/answerback.yaml": "version: 1\n",
      "config/rules/a.yaml": used("one"),
      "config/rules/b.yaml": used("two"),
      "config/shared/codes.yaml": rule("./codes.ts#f"),
    });

    expect(lines).toEqual([
      "config/shared/codes.yaml:6:15-27 error call-target: there is no module ./codes.ts (the path starts from this rule file)",
    ]);
  });
});

describe("a bot module that waits at its top level", () => {
  it("is a warning: a running bot waits for it", async () => {
    const lines = await problemsOf(
      {
        "config/answerback.yaml": "version: 1\nbots: [../bots/*.mjs]\n",
        "bots/slow.mjs": "await new Promise(() => {});\nexport default {};\n",
      },
      { moduleTimeoutMs: 1_000 },
    );

    expect(lines).toEqual([
      "bots/slow.mjs:2:1-7 warning bot-module: still waiting at its top level after 1000 ms (what it listens to can't be checked)",
    ]);
  });
});

const bot = (name: string, on = '{ "dm.received": async () => {} }') =>
  `export default {\n  name: "${name}",\n  on: ${on},\n};\n`;
const DEFINED = `import { defineBot } from "answerback";

export default defineBot({ name: "greeter", on: { "dm.received": async () => {} } });
`;

const NO_BOT =
  'a bot module ends in  export default defineBot({ name: "...", on: { "dm.received": async (ctx) => {} } }), or in  export default createBot("...").hears("hi", async (ctx) => {})';

describe("a bot module", () => {
  const MODULES = [
    { why: "a bot", module: DEFINED, messages: [] },
    {
      why: "it can't be read",
      module: "export default {\n  name: ,\n};\n",
      messages: ['2:9-10 error bot-module: Unexpected "," (undefined)'],
    },
    {
      why: "it has no bot",
      module: "export const nothing = 1;\n\n",
      messages: [`1:1-7 error bot-module: ${NO_BOT} (undefined)`],
    },
    {
      why: "it has no default export",
      module: 'export const bot = { name: "a", on: { "dm.received": () => {} } };\n\n',
      messages: [
        '1:14-17 error bot-module: the bot is exported as "bot", and not as default (write  export default bot)',
      ],
    },
    {
      why: "the bot is a property of the default export",
      module: 'const greeter = { name: "a", on: {} };\nexport default { greeter };\n',
      messages: [
        '1:7-14 error bot-module: the bot is the property "greeter" of what is exported (write  export default greeter)',
      ],
    },
    {
      why: "it exports a function",
      module: "export default async (ctx) => ctx.reply('hi');\n",
      messages: [`1:1-7 error bot-module: a function is the default export (${NO_BOT})`],
    },
    {
      why: "it exports a class",
      module: "export default class Greeter {}\n",
      messages: [`1:1-7 error bot-module: a class is the default export (${NO_BOT})`],
    },
    {
      why: "it exports a promise",
      module: DEFINED.replace("default ", "default Promise.resolve(").replace(");", "));"),
      messages: [
        "3:1-7 error bot-module: the default export is a promise (write  export default await …)",
      ],
    },
    {
      why: "it exports several bots",
      module: "export default [];\n",
      messages: [
        "1:1-7 error bot-module: the default export is a list (write one module for each bot)",
      ],
    },
    {
      why: "a bot without a name",
      module: 'export default { on: { "dm.received": () => {} } };\n',
      messages: ['1:1-7 error bot-module: the bot has no name (write  name: "..."  beside on)'],
    },
    {
      why: "a bot without handlers",
      module: bot("idle", "{}"),
      messages: [
        '2:10-14 error bot-module: the bot "idle" has no handlers (write  on: { "dm.received": async (ctx) => {} })',
      ],
    },
    {
      why: "a handler beside the name",
      module: 'export default { name: "flat", onMessage: () => {} };\n',
      messages: [
        '1:32-41 error bot-module: "onMessage" is not a key of a bot (write  on: { "dm.received": async (ctx) => {} })',
      ],
    },
    {
      why: "a slip in an option",
      module: bot("aged").replace("on:", 'max_age: "1h",\n  on:'),
      messages: [
        '3:3-10 error bot-module: "max_age" is not a key of a bot (did you mean "maxAge"?)',
      ],
    },
    {
      why: "keys of the author's own",
      module: bot("player").replace("on:", "game: 1,\n  names: [],\n  manage() {},\n  on:"),
      messages: [],
    },
    {
      why: "another tool's word for a trigger",
      module: bot("other", "{ message: async () => {} }"),
      messages: ['3:9-16 error bot-module: "message" starts no bot (did you mean "dm.received"?)'],
    },
    {
      why: "a builder that gets a map",
      module: 'import { createBot } from "answerback";\nexport default createBot({ name: "a" });\n',
      messages: [
        '2:16-25 error bot-module: TypeError: createBot takes the name (write  createBot("...").hears("hi", async (ctx) => {}),  or defineBot with a map)',
      ],
    },
    {
      why: "it throws when it is imported",
      module: 'const names: string[] = [];\nif (names.length === 0) throw new Error("no names");\n',
      messages: ["2:31-34 error bot-module: no names (undefined)"],
    },
    {
      why: "a slip in a trigger",
      module: bot("slip", '{ "dm.recieved": async () => {} }'),
      messages: [
        '3:10-21 error bot-module: "dm.recieved" starts no bot (did you mean "dm.received"?)',
      ],
    },
    {
      why: "a name that none can have",
      module: DEFINED.replace("greeter", "my greeter"),
      messages: [
        '3:16-25 error bot-module: TypeError: a bot\'s name is 1 to 64 letters, digits, "-" or "_", got "my greeter" (undefined)',
      ],
    },
  ];
  const nameOf = (at: number): string => `bots/bot-${at}.ts`;

  describe("is looked at", () => {
    let lines: readonly string[];
    beforeAll(async () => {
      const files = MODULES.map(({ module }, at) => [nameOf(at), module] as const);
      lines = await inFolder(() => problemsOf(Object.fromEntries(files)));
    });

    test.each(MODULES.map((row, at) => ({ ...row, at })))("$why", ({ at, messages }) => {
      expect(problemsIn(nameOf(at), lines)).toEqual(messages);
    });

    it("and no other problem is reported", () => {
      expect(lines).toHaveLength(MODULES.flatMap(({ messages }) => messages).length);
    });
  });

  it("has a name of its own", async () => {
    const lines = await problemsOf({ "bots/a.ts": bot("greeter"), "bots/b.ts": bot("greeter") });

    expect(lines).toEqual([
      'bots/b.ts:2:10-17 error bot-module: the name "greeter" is taken by bots/a.ts (give this bot its own)',
    ]);
  });

  it("that other modules import is reported at its own error", async () => {
    const lines = await problemsOf({
      "bots/a.ts": `import "./lib/names.ts";\n${bot("greeter")}`,
      "bots/lib/names.ts": "export const first = [][0].name;\n",
    });

    expect(lines).toEqual([
      expect.stringMatching(
        /^bots\/lib\/names\.ts:1:28-32 error bot-module: TypeError: .*, so the bot bots\/a\.ts can't be loaded/,
      ),
    ]);
  });
});

describe("a trigger", () => {
  const listening = (...triggers: readonly string[]) => `version: 1
rules:
  - id: all
    triggers: [${triggers.join(", ")}]
    actions: [{log: {message: hi}}]
`;

  it("that polling does not deliver is reported once each", async () => {
    const lines = await problemsOf({
      "config/answerback.yaml": "version: 1\nsource: polling\n",
      "config/rules/all.yaml": listening(
        "dm.received",
        "post.mentioned",
        "post.replied",
        "link.lost",
        "count.reached",
        "user.followed",
        "post.quoted",
        "{trigger: dm.sent, direction: outbound}",
        "{trigger: post.replied, direction: outbound}",
      ).replace("count.reached", "{trigger: count.reached, of: a, at: 1}"),
    });
    const never = 'never comes with "source: polling", which reads messages and mentions';
    const help = "(write  source: webhook  in the settings)";

    expect(lines.map((one) => one.replace(/^.*?(warning|error)/, "$1"))).toEqual([
      `warning trigger-not-delivered: user.followed ${never} ${help}`,
      'warning trigger-not-delivered: post.quoted comes with "source: polling" only where the quote mentions the account (listen to post.mentioned for those, or write  source: webhook  in the settings)',
      `warning trigger-not-delivered: post.replied with "direction: outbound" ${never} ${help}`,
    ]);
    expect(lines[0]).toMatch(/^config\/rules\/all\.yaml:4:\d+-\d+ /);
  });

  it("that the activity interface does not deliver is reported once each", async () => {
    const lines = await problemsOf({
      "config/answerback.yaml": "version: 1\nsource: activity\n",
      "config/rules/all.yaml": listening(
        "dm.received",
        "user.followed",
        "user.blocked",
        "{trigger: user.muted, direction: outbound}",
        "link.lost",
        "account.authorization_revoked",
      ),
    });
    const help =
      "(write  source: both  in the settings, for as long as the platform has account activity)";
    const why = "the activity interface does not deliver it";

    expect(lines.map((one) => one.replace(/^.*?(warning|error)/, "$1"))).toEqual([
      `warning trigger-not-delivered: user.blocked never comes with "source: activity" but with "direction: outbound": ${why} ${help}`,
      `warning trigger-not-delivered: account.authorization_revoked never comes with "source: activity": ${why} ${help}`,
    ]);
  });

  it("that the filtered stream does not bring is reported if the settings choose it", async () => {
    const text = listening(
      '{trigger: post.found, query: "acme min_likes:5"}',
      "{trigger: post.found, query: acme}",
    );
    const problemsWith = (search: string) =>
      problemsOf({
        "config/answerback.yaml": `version: 1\nsearch: ${search}\n`,
        "config/rules/all.yaml": text,
      });

    expect(await problemsWith("stream")).toEqual([
      expect.stringMatching(
        /^config\/rules\/all\.yaml:4:\d+-\d+ warning bad-query: the filtered stream has no operator min_likes:: recent search reads it/,
      ),
    ]);
    expect(await problemsWith("auto")).toEqual([]);
  });

  it("is accepted with a webhook, and in a disabled rule", async () => {
    expect(
      await problemsOf({
        "config/answerback.yaml": "version: 1\n",
        "config/rules/all.yaml": listening("user.followed"),
      }),
    ).toEqual([]);
    expect(
      await problemsOf({
        "config/answerback.yaml": "version: 1\nsource: polling\n",
        "config/rules/all.yaml": listening("user.followed").replace(
          "id: all",
          "id: all\n    enabled: false",
        ),
      }),
    ).toEqual([]);
  });

  it("of a bot is reported in its module if polling does not deliver it", async () => {
    const lines = await problemsOf({
      "config/answerback.yaml": "version: 1\nsource: polling\n",
      "bots/greeter.ts": bot("greeter", '{ "user.followed": async () => {} }'),
    });

    expect(lines).toEqual([
      expect.stringMatching(
        /^bots\/greeter\.ts:3:10-23 warning trigger-not-delivered: user\.followed/,
      ),
    ]);
  });

  it("of a rule for an account that the settings leave out is reported, and can be silenced on its line", async () => {
    const settings = { "config/answerback.yaml": "version: 1\naccounts: [hello_bot]\n" };
    const text = listening("dm.received").replace("id: all", "id: all\n    account: other_bot");
    const lines = await problemsOf({ ...settings, "config/rules/all.yaml": text });
    const silenced = text.replace(
      "[dm.received]",
      "[dm.received] # check: ignore trigger-not-delivered",
    );

    expect(lines).toEqual([
      'config/rules/all.yaml:5:16-27 warning trigger-not-delivered: rule "all" answers for @other_bot, and the settings name other accounts: it gets no events (add it to the settings:  accounts: [hello_bot, other_bot])',
    ]);
    expect(await problemsOf({ ...settings, "config/rules/all.yaml": silenced })).toEqual([]);
  });
});
