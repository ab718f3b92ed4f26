import { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { envFilesFor, withEnvFiles, withoutEnvFiles } from "../env-file.ts";
import { interrupted, type Io } from "../io.ts";
import type { ServedSettings } from "./call-tool.ts";
import { messageLines } from "./message-lines.ts";
import { projectServer } from "./project-server.ts";
import type { CommandLoaders } from "./tool.ts";

/** Serves the Model Context Protocol over stdin and stdout until the client closes stdin or the command has to stop. */
export async function serve(
  io: Io,
  settings: ServedSettings,
  commands: CommandLoaders,
): Promise<void> {
  io.ends?.endWithReader();
  if (io.input.isTerminal) {
    io.err("A coding assistant starts this command and talks to it over stdin. Ctrl-C ends it.\n");
  }
  const stdin = io.input.bytes?.() ?? Readable.from([]);
  const lines = messageLines((fault) => {
    io.out(`${JSON.stringify(fault)}\n`);
    io.err(`a line on stdin was refused: ${fault.error.message}\n`);
  });
  const transport = new StdioServerTransport(lines, outputOf(io));
  const ended = new Promise<void>((resolve) => {
    lines.once("close", resolve).once("end", resolve);
  });
  stdin.once("error", (error) => lines.destroy(error)).pipe(lines);
  const handle = serveStdio(
    () => projectServer(() => withFreshEnvFiles(io, settings), settings, commands),
    {
      transport,
      onerror: (error) => io.err(`${error.message}\n`),
    },
  );
  try {
    await Promise.race([ended, interrupted(io)]);
  } finally {
    await handle.close();
    // A flowing stdin would keep the process running.
    stdin.unpipe(lines).pause();
  }
}

/**
 * Writable stream for the protocol's output. Bots run in worker threads with an output of their own, so nothing else
 * writes to it.
 */
function outputOf(io: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      io.out(chunk.toString());
      done();
    },
  });
}

/** Reads the variables of the `.env` files again, since the files may change while the server runs. */
function withFreshEnvFiles(io: Io, { config }: ServedSettings): Io {
  const inherited = { ...io, env: withoutEnvFiles(io) };
  return withEnvFiles(
    inherited,
    envFilesFor(config === undefined ? [] : ["--config", config], inherited),
  );
}
