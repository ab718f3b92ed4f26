import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";

/**
 * Converts the error of a damaged saved sandbox world to a usage error with a hint; returns any other error unchanged.
 *
 * @param world Path of the world's file; the messages of such errors begin with it.
 */
export function worldError(error: unknown, world: string, hint: string): unknown {
  const message = messageOf(error);
  return message.startsWith(world) ? new UsageError(message, { cause: error, hint }) : error;
}
