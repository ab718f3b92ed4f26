import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seedFrom } from "../support/fixed-seeds.ts";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

/** Secrets with an unusual sequence of letters: no other text in the outputs contains four of them in a row. */
const SECRET = "QXZJKVWYZQYXKWJVXZQ-VJYKQWXZ";
const PASSWORD = 'ZKJ/WVX YQ"ZZKY%V';
const RULES = 30;
/**
 * Seed of the generated expressions; for another one: SECRETS_SEED=7 npx vitest run test/e2e/secrets-in-outputs.test.ts
 */
const SEED = seedFrom("SECRETS_SEED");

const from = fc.integer({ min: 0, max: 12 });
/** Generator of expressions whose value is a text built from a secret. */
const { text: expression } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom("secrets.API_KEY", "secrets.PASSWORD", 'secrets["API_KEY"]'),
    fc
      .tuple(tie("text"), from, from)
      .map(([of, a, b]) => `(${of}).substring(${Math.min(a, b)}, ${Math.min(a, b) + 4})`),
    fc
      .tuple(tie("text"), fc.integer({ min: 0, max: 3 }))
      .map(([of, a]) => `(${of}).substring(${a})`),
    tie("text").map((of) => `(${of}).lower()`),
    tie("text").map((of) => `(${of}).upper()`),
    tie("text").map((of) => `url(${of})`),
    tie("text").map((of) => `(${of}).truncate(9)`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `(${a}) + "~" + (${b})`),
    fc.tuple(tie("text"), tie("text")).map(([a, b]) => `(message.text == "x" ? (${a}) : (${b}))`),
    tie("text")
      .map((of) => `[${of}, "b"]`)
      .map((list) => `${list}[0]`),
  ),
}));
const template = fc
  .array(
    fc.oneof(
      expression.map((one) => `\${{ ${one} }}`),
      fc.constantFrom("~", "Bearer ", "a/"),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""));
/** Behaviours of the service, as the end of its URL. Each response repeats the whole request. */
const way = fc.constantFrom("echo", "fail", "redirect", "text", "cut");
const step = fc.oneof(
  fc.record({ way, header: template, body: template }).map(({ way: to, header, body }) => ({
    http: { method: "POST", url: `URL/${to}`, headers: { "x-note": header }, body },
  })),
  fc.record({ way, path: expression, value: template }).map(({ way: to, path, value }) => ({
    http: {
      method: "PUT",
      url: `URL/${to}/\${{ url(${path}) }}?q=\${{ ${path} }}`,
      json: { a: [value], b: { c: value } },
    },
  })),
  fc.record({ value: template, fails: fc.boolean() }).map(({ value, fails }) => ({
    call: `./echo.ts#${fails ? "fail" : "echo"}`,
    with: { a: value, b: [value, { c: value }] },
  })),
);

const ECHO = `export const echo = (input: unknown) => ({ input, text: JSON.stringify(input) });
export function fail(input: unknown): never { console.log("got", input); throw new Error("failed with " + JSON.stringify(input)); }
`;

function rulesFor(url: string): string {
  const rules = fc.sample(step, { numRuns: RULES, seed: SEED }).map((one, n) => ({
    id: `rule_${n}`,
    triggers: ["dm.received"],
    conditions: [{ "message.text": `go ${n}` }],
    actions: [
      {
        id: "x",
        ...JSON.parse(JSON.stringify(one).replaceAll("URL", url)),
        on_error: [{ reply_dm: "failed ${{ error.code }} ${{ error.message }}" }, "stop"],
      },
      { log: "got ${{ string(steps.x.ok) }}" },
      {
        reply_dm:
          "call" in one
            ? "${{ steps.x.result.text }}"
            : "${{ steps.x.status }} ${{ steps.x.text }}",
      },
    ],
  }));
  return JSON.stringify({ version: 1, rules });
}

let service: Server;
let bot: BotOnSandbox;
beforeAll(async () => {
  service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("latin1")));
    request.on("end", () => {
      const { url = "", headers } = request;
      const said = { url, decoded: percentDecoded(url), note: headers["x-note"], body };
      if (url.startsWith("/cut")) return void response.socket?.destroy();
      if (url.startsWith("/redirect")) {
        response.writeHead(307, { location: url.replace("/redirect", "/echo") });
        return void response.end();
      }
      const isText = url.startsWith("/text");
      response.writeHead(url.startsWith("/fail") ? 500 : 200, {
        "content-type": isText ? "text/plain" : "application/json",
      });
      response.end(isText ? `${said.decoded} ${String(said.note)} ${body}` : JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  bot = await botOnSandbox({
    rules: { "rules.yaml": rulesFor(`http://127.0.0.1:${port}`), "echo.ts": ECHO },
    env: { ANSWERBACK_HTTP_ALLOW: `127.0.0.1:${port}`, API_KEY: SECRET, PASSWORD },
    settings: "secrets: [API_KEY, PASSWORD]\n",
  });
  await bot.start();
});
afterAll(async () => {
  await bot.close();
  service.close();
  service.closeAllConnections();
});

function percentDecoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Matches digests and random tokens, which may contain any four letters in a row. */
const DIGESTS = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/**
 * Returns sequences of four characters that a text shares with a secret. Lower case and percent-encoded texts count
 * too.
 */
function leaksIn(text: string): readonly string[] {
  const plain = percentDecoded(text.replaceAll(DIGESTS, ""));
  const parts = [SECRET, PASSWORD].flatMap((secret) =>
    Array.from({ length: secret.length - 3 }, (_, n) => secret.slice(n, n + 4)),
  );
  return [...new Set(parts.flatMap((part) => [part, part.toLowerCase()]))].flatMap((part) => {
    const at = plain.indexOf(part);
    return at < 0 ? [] : [`${part} in ${plain.slice(Math.max(0, at - 60), at + 60)}`];
  });
}

it("nothing that a bot stores, prints or sends shows four characters of a secret, whatever its rules make of them", async () => {
  const people = await Promise.all(Array.from({ length: RULES }, () => bot.stranger("Ana")));
  for (const [n, person] of people.entries()) await person.says(`go ${n}`);
  await bot.quiet();
  const config = ["--config", "config/answerback.yaml"];
  const cli = async (...args: readonly string[]) => {
    const { out, err } = await run(bot.folder, ...args, ...config);
    return out + err;
  };
  const entries = await bot.journal();
  const outputs: Record<string, string> = {
    answers: (await Promise.all(people.map(({ id }) => bot.messagesTo(id)))).join("\n"),
    log: bot.log(),
    journal: JSON.stringify(entries),
    outbox: JSON.stringify(await bot.items()),
    status: await cli("status", "--json"),
  };
  for (const { seq } of entries)
    outputs[`why ${seq}`] =
      (await cli("why", String(seq))) + (await cli("why", String(seq), "--json"));
  await bot.stop();
  for (const name of await readdir(join(bot.folder, "data"))) {
    outputs[name] = await readFile(join(bot.folder, "data", name), "latin1").catch(() => "");
  }

  const leaks = Object.entries(outputs).flatMap(([name, text]) =>
    leaksIn(text).map((leak) => `${name}: ${leak}`),
  );
  expect(leaks).toEqual([]);
  expect(outputs["journal"]).toContain("failed");
  expect(outputs["answers"]).toContain("200");
});
