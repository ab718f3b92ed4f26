import { errorCode } from "./error-code.ts";
import { messageOf } from "./error-message.ts";

/** Reason why a server can't listen at an address, and the remedy. */
interface AddressFault {
  readonly message: string;
  readonly hint: string;
  /** Whether a later try may succeed with the same address. */
  readonly retryable: boolean;
}

/** Address of the settings. An IPv6 host is in brackets. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** Ports up to this number are reserved for the superuser on most systems. */
const LAST_RESERVED_PORT = 1_023;

/**
 * Explains the error of `listen` for an address of the settings.
 *
 * Only a busy port, an unreachable name server and unknown errors are retryable: with any other fault, a supervisor that
 * starts the bot again would do so without end.
 *
 * @param setting Name of the setting with the address, such as `webhook.listen`.
 */
export function addressFault(
  error: unknown,
  { host, port }: Address,
  setting: string,
): AddressFault {
  const openPort = port > LAST_RESERVED_PORT ? port : port + 8_000;
  const isPublic = setting === "webhook.listen";
  const forwarded = isPublic ? "; a proxy at the public address forwards to it" : "";
  const elsewhere = {
    hint: `set ${setting} to an address of this machine, such as 127.0.0.1:${openPort}${forwarded}`,
    retryable: false,
  };
  switch (errorCode(error) ?? "") {
    case "EADDRINUSE":
      return {
        message: `port ${port} on ${host} is busy`,
        hint: `end the program that listens there, or set ${setting} to another port`,
        retryable: true,
      };
    case "EACCES":
      return {
        message: `this user may not listen on port ${port} of ${host}`,
        hint: `set ${setting} to a port above ${LAST_RESERVED_PORT}, such as ${host}:${openPort}${forwarded}`,
        retryable: false,
      };
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
      return { message: `${host} is not an address of this machine`, ...elsewhere };
    case "ENOTFOUND":
      return { message: `the name ${host} has no address`, ...elsewhere };
    default:
      return {
        message: `no server can listen at ${host}:${port}: ${messageOf(error)}`,
        ...elsewhere,
        retryable: true,
      };
  }
}
