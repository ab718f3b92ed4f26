import { InvalidArgumentError } from "commander";
import type { Listen } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { errorCode } from "../../system/error-code.ts";

/** Parses a port number, 0 to 65535. */
export function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("It must be a port number from 0 to 65535.");
}

/** Parses `host:port`; an IPv6 address is in brackets. */
export function address(text: string): Listen {
  const [, host, number] = /^([^\s:[\]]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== undefined && number !== undefined) {
    return { host: host.replaceAll(/[[\]]/g, ""), port: port(number) };
  }
  throw new InvalidArgumentError('It must be host:port, as "203.0.113.5:443".');
}

/** Checks that a text is an http or https URL, for the callback of `login`. */
export function callbackUrl(text: string): string {
  if (/^https?:/i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be a whole URL, as "http://127.0.0.1:8765/callback".');
}

/** Converts the error of a busy port to a usage error with a hint; returns any other error unchanged. */
export function portBusyError(error: unknown, wanted: number): unknown {
  if (errorCode(error) !== "EADDRINUSE") return error;
  return new UsageError(`port ${wanted} is busy`, {
    cause: error,
    hint: "end the program that listens there, or choose another port; --port 0 takes any free one",
  });
}
