import { PassThrough } from "node:stream";
import pc from "picocolors";
import { expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { serve } from "../../../src/cli/mcp/serve.ts";
import { when } from "../../support/when.ts";

const PING = { jsonrpc: "2.0", method: "ping" };

/** Starts the server in this process. */
function startServer() {
  const stdin = new PassThrough();
  const ending = new AbortController();
  let out = "";
  let messages = "";
  const io: Io = {
    out: (text) => void (out += text),
    err: (text) => void (messages += text),
    cwd: import.meta.dirname,
    env: {},
    interactive: false,
    input: {
      isTerminal: false,
      async *lines() {},
      text: async () => "",
      bytes: () => stdin,
    },
    colors: pc.createColors(false),
    dataColors: pc.createColors(false),
    width: undefined,
    signal: ending.signal,
  };
  const never = () => Promise.reject(new Error("no command runs here"));
  const commands = {
    docs: never,
    explain: never,
    check: never,
    test: never,
    send: never,
    why: never,
    backtest: never,
    journal: never,
  };
  return {
    stdin,
    end: () => ending.abort(),
    served: serve(io, {}, commands),
    out: () => out,
    answers: () =>
      out
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    messages: () => messages,
  };
}

/** Answers of the server to the lines of a client, and to a last ping. */
async function answersTo(
  lines: readonly string[],
): Promise<{ readonly answers: readonly unknown[]; readonly messages: string }> {
  const { stdin, end, served, out, answers, messages } = startServer();
  for (const line of [...lines, JSON.stringify({ ...PING, id: "last" })]) stdin.write(`${line}\n`);
  await when(() => (out().includes('"last"') ? out() : undefined));
  end();
  await served;
  expect(stdin.isPaused()).toBe(true);
  return { answers: answers(), messages: messages() };
}

it.each([
  { line: "{bad json", id: null, code: -32700, why: "it is not JSON" },
  { line: `\ufeff${JSON.stringify({ ...PING, id: 1 })}`, id: null, code: -32700, why: "a mark" },
  { line: '"x"', id: null, code: -32600, why: "it is a text" },
  { line: "null", id: null, code: -32600, why: "it is null" },
  { line: "[]", id: null, code: -32600, why: "MCP has no batches" },
  { line: JSON.stringify({ method: "ping", id: "a" }), id: "a", code: -32600, why: "no version" },
  { line: JSON.stringify({ ...PING, id: 1.5 }), id: 1.5, code: -32600, why: "a broken number" },
  { line: JSON.stringify({ ...PING, id: null }), id: null, code: -32600, why: "an empty id" },
])("answers $line with $code, and reports it on stderr: $why", async ({ line, id, code }) => {
  const { answers, messages } = await answersTo([line]);

  expect(answers).toEqual([
    { jsonrpc: "2.0", id, error: { code, message: expect.any(String) } },
    { jsonrpc: "2.0", id: "last", result: {} },
  ]);
  expect(messages).toMatch(/^a line on stdin was refused: [^\n]+\n$/);
});

it("answers each request of a chunk, and ignores empty lines and carriage returns", async () => {
  const { answers, messages } = await answersTo([
    "",
    `${JSON.stringify({ ...PING, id: 1 })}\r`,
    " ",
  ]);

  expect(answers).toMatchObject([{ id: 1, result: {} }, { id: "last" }]);
  expect(messages).toBe("");
});

it("ends for a line that is longer than the transport reads, and reports it", async () => {
  const { stdin, served, answers, messages } = startServer();
  stdin.write("x".repeat(11_000_000));

  await served;

  expect(answers()).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(messages()).toMatch(/^a line on stdin was refused: [^\n]+ longer than 10485760 bytes\n$/);
});
