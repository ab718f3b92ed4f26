import { multistream, pino, type Level, type StreamEntry } from "pino";
import type { LogSetting } from "../../config/settings.ts";
import { openLog } from "../../runtime/log.ts";
import type { Log } from "../../runtime/log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Io } from "../io.ts";
import { visible } from "../../text/unseen.ts";
import { formatLogLine } from "./log-line.ts";
import { rotatingFile } from "./rotating-file.ts";

/** `text` for people; `json` for programs, with one object per line. */
export type LogFormat = "text" | "json";

export interface LogStreams {
  readonly io: Pick<Io, "err" | "colors">;
  /** Minimum level of lines on stderr. */
  readonly logLevel: string;
  /** Format on stderr; files always have JSON. */
  readonly logFormat: LogFormat;
  /** File for lines of level `info` and above, independent of stderr. */
  readonly logFile?: string | undefined;
  /** Size limits of `logFile`. */
  readonly growth: LogSetting;
  /** Removes secrets from the lines on stderr and in the file. */
  readonly mask: SecretMask;
}

const FILE_LEVEL = "info";

/** Opens the log of a runtime: stderr, and a file if one is given. */
export function logTo(to: LogStreams): Log {
  const { io, logLevel, logFile, growth, mask } = to;
  const streams: StreamEntry[] = [];
  if (isLevel(logLevel)) streams.push({ level: logLevel, stream: { write: stderrOf(to) } });
  if (logFile !== undefined) {
    const onLost = throttle<unknown>(LOG_EVERY_MS, (error, times) =>
      io.err(`${times} line(s) not written to ${logFile}: ${messageOf(error)}\n`),
    );
    streams.push({ level: FILE_LEVEL, stream: rotatingFile(logFile, growth, onLost) });
  }
  const lowest = streams
    .map(({ level = FILE_LEVEL }) => level)
    .sort((a, b) => (pino.levels.values[a] ?? 0) - (pino.levels.values[b] ?? 0))[0];
  return openLog({ level: lowest ?? "silent", destination: multistream(streams), mask });
}

function stderrOf({ io, logFormat }: LogStreams): (line: string) => void {
  if (logFormat === "json") return (line) => io.err(line);
  return (line) =>
    io.err(`${formatLogLine(line.trimEnd(), io.colors) ?? visible(line.trimEnd())}\n`);
}

function isLevel(name: string): name is Level {
  return name in pino.levels.values;
}
