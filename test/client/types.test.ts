import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "test", "client-types");
const FILES = ["selection.ts", "credentials.ts", "bots.ts"].map((name) => join(FOLDER, name));
const EXAMPLES = join(FOLDER, "examples.ts");

/** Declarations that the examples of the docstrings assume. */
const GIVEN = `
import type { AccountEvent, BotContext, Client, OAuth2Tokens } from "answerback";
import { appOnlyToken, createClient, createOAuth1Login, createOAuth2Login } from "answerback";
import { createBot, defineBot, defineState } from "answerback";
import { createThread, entitiesOf, ownWords, splitPost, weightedLength } from "answerback";
import { compileRules, decide, openRuntime, webhookRouter } from "answerback";
import { startSandbox } from "answerback/sandbox";
import { chatSdkBot, createAnswerbackAdapter, createAnswerbackState, handlerContext } from "answerback/chat-sdk";
import { Chat } from "chat";
import { answerMatchers, startLab, type LabPerson } from "answerback/testing";
declare const baseUrl: string, consumerKey: string, consumerSecret: string, clientId: string;
declare const app: { use(handler: unknown): void; listen(port: number): void };
declare const request: { url: string }, media: Uint8Array, client: Client, event: AccountEvent;
declare function readFile(path: string, encoding: "utf8"): Promise<string>;
declare const ctx: BotContext<"dm.received">, ana: LabPerson;
declare const expect: {
  (value: unknown): { toEqual(value: unknown): void } & Answering & { readonly not: Answering };
  extend(matchers: object): void;
};
interface Answering { toAnswer(wanted?: string | RegExp): void }
declare const console: { log(...words: unknown[]): void };
declare function model(text: string): Promise<string>;
declare function keep(tokens: OAuth2Tokens): Promise<void>;
`;

/** Every example of the docstrings, wrapped in a function. */
function examples(): string[] {
  const sources = ts.sys.readDirectory(join(ROOT, "src"), [".ts"]);
  return sources.flatMap((source) =>
    [
      ...readFileSync(source, "utf8").matchAll(/ \* @example\n((?: *\* ?.*\n)*?) *(?:\*\/|\* @)/g),
    ].map(([, block = ""]) => block.replaceAll(/^ *\* ?/gm, "").replace("export default", "void")),
  );
}

function faultsOf(files: readonly string[], sources: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = sources.get(path);
    if (text === undefined) return getSourceFile(path, version, ...rest);
    return ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram(files, { ...options, noEmit: true }, host);
  return files
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(({ messageText, file, start }) => {
      const line = file?.text.slice(0, start).split("\n").length;
      return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
}

it("every claim about the client's types and every example compiles, and marked errors occur", () => {
  const shown = examples();
  const functions = shown.map((body, nth) => `export async function e${nth}() {\n${body}}\n`);
  const sources = new Map([[EXAMPLES, GIVEN + functions.join("\n")]]);
  expect(faultsOf([...FILES, EXAMPLES], sources)).toEqual([]);

  const text = FILES.map((file) => readFileSync(file, "utf8")).join("\n");
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const claims = count(/\/\/ case: /g);
  const refusals = count(/@ts-expect-error \S/g);
  const exact = count(/\bsame<(?!A, B>\()/g);
  process.stdout.write(
    `client types: ${claims} cases, ${refusals} refusals, ${exact} exact types, ${shown.length} examples\n`,
  );
  expect(claims).toBeGreaterThanOrEqual(30);
  expect(refusals).toBeGreaterThanOrEqual(30);
  expect(shown.length).toBeGreaterThanOrEqual(10);
});
