import { multistream, pino, type Level, type StreamEntry } from "pino";
import { openLog, type Log } from "../../runtime/log.ts";
import type { Io } from "../io.ts";

export interface LogStreams {
  readonly io: Pick<Io, "err">;
  /** Least severe level that stderr gets. */
  readonly logLevel: string;
  /** File that gets everything from `info` on, whatever stderr gets. */
  readonly logFile?: string | undefined;
}

const FILE_LEVEL = "info";

/** The log of a runtime: to stderr, and to a file where one is named. */
export function logTo({ io, logLevel, logFile }: LogStreams): Log {
  const streams: StreamEntry[] = [];
  if (isLevel(logLevel))
    streams.push({ level: logLevel, stream: { write: (line) => io.err(line) } });
  if (logFile !== undefined) {
    const stream = pino.destination({ dest: logFile, sync: true, mkdir: true, mode: 0o600 });
    streams.push({ level: FILE_LEVEL, stream });
  }
  const lowest = streams
    .map(({ level = FILE_LEVEL }) => level)
    .sort((a, b) => (pino.levels.values[a] ?? 0) - (pino.levels.values[b] ?? 0))[0];
  return openLog({ level: lowest ?? "silent", destination: multistream(streams) });
}

function isLevel(name: string): name is Level {
  return name in pino.levels.values;
}
