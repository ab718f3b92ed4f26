import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

/** A completion of the editor: the part of the protocol's object that tests read. */
export interface Offer {
  readonly label: string;
  readonly documentation?: string | { readonly value: string };
}
export interface Mark {
  readonly message: string;
  readonly range: { readonly start: Place; readonly end: Place };
}
interface Place {
  readonly line: number;
  readonly character: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly Mark[] };
  readonly result?: unknown;
}

const require = createRequire(import.meta.url);
const SERVER = require.resolve("yaml-language-server/bin/yaml-language-server");

/** A yaml-language-server, controlled as editors do: JSON-RPC over its standard streams. */
export class LanguageServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #marks = new Map<string, (marks: readonly Mark[]) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** Starts a server that uses only local schemas and fetches nothing from the network. */
  static async start(): Promise<LanguageServer> {
    const server = new LanguageServer(spawn(process.execPath, [SERVER, "--stdio"]));
    const capabilities = { textDocument: { completion: {}, hover: {} } };
    await server.#ask("initialize", { processId: process.pid, rootUri: null, capabilities });
    server.#tell("initialized", {});
    const yaml = { completion: true, hover: true, validate: true, schemaStore: { enable: false } };
    server.#tell("workspace/didChangeConfiguration", { settings: { yaml } });
    return server;
  }

  /** Opens a text under a file's name. @returns The diagnostics of the server. */
  open(uri: string, text: string): Promise<readonly Mark[]> {
    const marks = new Promise<readonly Mark[]>((resolve) => this.#marks.set(uri, resolve));
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    this.#tell("textDocument/didOpen", { textDocument });
    return marks;
  }

  /** Returns the completions at a position. */
  async complete(uri: string, position: Place): Promise<readonly Offer[]> {
    const at = { textDocument: { uri }, position };
    const result = await this.#ask("textDocument/completion", at);
    const { items }: { items: readonly Offer[] } = Object(result);
    return items;
  }

  /** Returns the hover text of the word at a position. */
  async hover(uri: string, position: Place): Promise<string> {
    const at = { textDocument: { uri }, position };
    const result = await this.#ask("textDocument/hover", at);
    return JSON.stringify(result ?? "");
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    await this.#ask("shutdown", undefined);
    this.#tell("exit", undefined);
    await ended;
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    this.#write({ id, method, params });
    return answer;
  }

  #tell(method: string, params: unknown): void {
    this.#write({ method, params });
  }

  #write(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const head = this.#received.subarray(0, Math.max(0, end)).toString();
      const length = Number(/Content-Length: (\d+)/i.exec(head)?.[1] ?? Infinity);
      if (end < 0 || this.#received.length < end + 4 + length) return;
      const message: Message = JSON.parse(
        this.#received.subarray(end + 4, end + 4 + length).toString(),
      );
      this.#received = this.#received.subarray(end + 4 + length);
      this.#hear(message);
    }
  }

  #hear({ id, method, params, result }: Message): void {
    if (method === "textDocument/publishDiagnostics") {
      this.#marks.get(params?.uri ?? "")?.(params?.diagnostics ?? []);
    } else if (method !== undefined && id !== undefined) {
      // Requests of the server, such as for settings, get an empty response: the settings were sent before.
      this.#write({ id, result: null });
    } else if (id !== undefined) {
      this.#answers.get(id)?.(result);
    }
  }
}
