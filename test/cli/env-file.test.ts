import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { begin, type Ran } from "../support/command-line.ts";

const SETTINGS = `version: 1
app: { consumer_key: "\${{ env.CONSUMER_KEY }}" }
`;
const RULES = `version: 1
rules:
  - id: asks
    triggers: [dm.received]
    actions: [{ http: { method: GET, url: "https://api.example/", headers: { authorization: "\${{ secrets.API_KEY }}" } } }]
`;

describe("a .env", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-env-"));
    await put({ "config/answerback.yaml": SETTINGS, "config/rules/asks.yaml": RULES });
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function put(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return begin({ cwd: folder, env }, args).ended;
  }

  it("is reported by check with all missing names: variables of settings, then secrets of rules", async () => {
    expect((await run(["check"])).out).toContain("the environment has no CONSUMER_KEY");
    const { out, code } = await run(["check"], { CONSUMER_KEY: "k" });

    expect(code).toBe(3);
    expect(out).toMatch(/config\/rules\/asks\.yaml:5:\d+: error: .*API_KEY/);
  });

  it.each([
    { file: "config/.env", why: "beside the settings" },
    { file: ".env", why: "in the current folder" },
  ])("gives both: $why", async ({ file }) => {
    await put({ [file]: "# keys\nCONSUMER_KEY=k\nexport API_KEY='a b'\n" });

    expect(await run(["check"])).toMatchObject({ code: 0 });
    const { out } = await run(["doctor"]);
    expect(out).toContain(`API_KEY, CONSUMER_KEY from ${join(folder, file)}`);
    expect(out).not.toContain("a b");
  });

  it("is the one beside the settings that a flag names", async () => {
    await put({ "other/answerback.yaml": SETTINGS, "other/.env": "CONSUMER_KEY=k\n" });

    for (const flag of [
      ["--config", "other/answerback.yaml"],
      ["-c", "other/answerback.yaml"],
      ["--config=other/answerback.yaml"],
      ["--config", "config/answerback.yaml", "--config", "other/answerback.yaml"],
      ["-cconfig/answerback.yaml", "-cother/answerback.yaml"],
    ]) {
      expect(await run(["check", ...flag]), flag.join(" ")).toMatchObject({ code: 0 });
    }
  });

  it("is merged with the one beside the settings, whose values come first unless they are empty", async () => {
    await put({
      "config/answerback.yaml": `${SETTINGS}platform: { base_url: "https://\${{ env.CONSUMER_SECRET }}.example/\${{ env.BEARER_TOKEN }}" }\n`,
      "config/.env": "CONSUMER_KEY=k\nCONSUMER_SECRET=\nBEARER_TOKEN=first\n",
      ".env": "API_KEY=a\nCONSUMER_KEY=\nCONSUMER_SECRET=s\nBEARER_TOKEN=no url\n",
    });

    expect(await run(["check"])).toMatchObject({ code: 0 });
    expect((await run(["doctor"])).out).toContain(
      `; BEARER_TOKEN, CONSUMER_KEY from ${join(folder, "config/.env")}; API_KEY, CONSUMER_SECRET from ${join(folder, ".env")}`,
    );
  });

  it.each([
    { files: [], named: ".env" },
    { files: [".env"], named: ".env" },
    { files: ["config/.env"], named: "config/.env" },
    { files: ["config/.env", ".env"], named: "config/.env" },
  ])(
    "is named where a variable is missing, and hides no other: $files",
    async ({ files, named }) => {
      for (const file of files) await put({ [file]: "API_KEY=a\n" });
      const { out } = await run(["check"]);
      await put({ [named]: "API_KEY=a\nCONSUMER_KEY=k\n" });

      expect(out).toContain(
        `help: write  CONSUMER_KEY=…  into ${named}, or set it before the start`,
      );
      expect((await run(["check", "config/answerback.yaml"])).code).toBe(0);
      expect(await run(["check"])).toMatchObject({ code: 0 });
    },
  );

  it.each([
    { text: "\uFEFFCONSUMER_KEY=k\nAPI_KEY=a\n", why: "an editor has put a byte order mark first" },
    { text: "CONSUMER_KEY=k\r\nAPI_KEY='a'\r\n", why: "its lines end as on Windows" },
  ])("gives all its variables: $why", async ({ text }) => {
    await put({ ".env": text });

    expect(await run(["check"])).toMatchObject({ code: 0 });
  });

  it.each([
    { text: "A=1\nthe keys\nCONSUMER_KEY=k\n", line: 2, why: "a comment without #" },
    { text: "A: 1\r\nCONSUMER_KEY=k\r\n", line: 1, why: "a colon instead of =" },
    { text: "set CONSUMER_KEY=k\n", line: 1, why: "a command of Windows" },
  ])(
    "is refused if a line is no NAME=value, which hides a variable: $why",
    async ({ text, line }) => {
      await put({ ".env": text });

      const { code, err } = await run(["check"]);

      expect(code).toBe(2);
      expect(err).toContain(`${join(folder, ".env")}:${line}: this line is not NAME=value`);
      expect(err).toContain("help: write NAME=value, one a line; # before a comment");
    },
  );

  it.each([
    { text: "CONSUMER_KEY=k\nAPI_KEY=a#b\n", line: 2 },
    { text: "URL=https://a.example/#x # note\nCONSUMER_KEY=k\n", line: 1 },
    { text: "export API_KEY = s3cr#et\nCONSUMER_KEY=k\n", line: 1 },
  ])("is refused if a value would end at its # in line $line of $text", async ({ text, line }) => {
    await put({ ".env": text });

    const { code, err } = await run(["check"]);

    expect(code).toBe(2);
    expect(err).toContain(`${join(folder, ".env")}:${line}: the value ends before its "#"`);
    expect(err).not.toContain("s3cr");
  });

  it.each([
    { text: 'CONSUMER_KEY="s3cr"et\nAPI_KEY=a\n', line: 1 },
    { text: "API_KEY=a\r\nCONSUMER_KEY = 's3cr' et # note\r\n", line: 2 },
    { text: 'CONSUMER_KEY="s3cr\\"et"\nAPI_KEY=a\n', line: 1 },
    { text: 'CONSUMER_KEY="s3cr\nAPI_KEY="a"\n', line: 1 },
  ])("is refused if text follows the quotes in line $line of $text", async ({ text, line }) => {
    await put({ ".env": text });

    const { code, err } = await run(["check"]);

    expect(code).toBe(2);
    expect(err).toContain(`${join(folder, ".env")}:${line}: the value ends at its second quote`);
    expect(err).not.toContain("s3cr");
  });

  it("may have comments, and any character in quotes", async () => {
    const lines = [
      "CONSUMER_KEY=k # a",
      "API_KEY='a#b'",
      "EMPTY=#c",
      "#D=1#2",
      'E="#1',
      '#2"',
      "F='\"'# b",
      "G=`'` \r",
    ];
    await put({ ".env": `${lines.join("\n")}\n` });

    expect(await run(["check"])).toMatchObject({ code: 0 });
  });

  it("gives way to the real environment", async () => {
    await put({ ".env": "CONSUMER_KEY=k\nAPI_KEY=a\nANSWERBACK_TARGET=prod\n" });

    expect((await run(["check"])).out).toContain('ANSWERBACK_TARGET: "prod" is not one of');
    expect(await run(["check"], { ANSWERBACK_TARGET: "sandbox" })).toMatchObject({ code: 0 });
    expect((await run(["check"], { ANSWERBACK_TARGET: " " })).out).toContain(
      '"prod" is not one of',
    );
  });

  it("is ignored if it is a folder, and reported if it can't be read", async () => {
    await put({ ".env/bin/python": "", "config/.env": "CONSUMER_KEY=k\nAPI_KEY=a\n" });
    expect(await run(["check"])).toMatchObject({ code: 0 });

    await rm(join(folder, "config/.env"));
    await symlink(".env", join(folder, "config/.env"));
    expect(await run(["check"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: can't read .*config\/\.env: .*\n {2}help: let this user/),
    });
  });
});
