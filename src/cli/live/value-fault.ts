import type * as z from "zod";
import { UsageError } from "../../errors.ts";

/**
 * Returns why a setting would refuse a value that a person entered; undefined if it accepts the value. The value is not
 * quoted, because it may contain a key or a password.
 *
 * @param setting Schema of the setting.
 * @param name Name of the value, for the message.
 */
export function valueFault(
  setting: z.ZodType<string | undefined>,
  value: string,
  name: string,
): UsageError | undefined {
  const issue = setting.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const help: unknown = issue.code === "custom" ? issue.params?.["help"] : undefined;
  return new UsageError(
    `${name}: ${issue.message}`,
    typeof help === "string" ? { hint: help } : {},
  );
}
