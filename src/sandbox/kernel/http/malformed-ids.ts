import type { Dialect } from "../../../protocol/dialects.ts";
import { toCallerWord } from "./caller-word.ts";
import { ApiError } from "./api-error.ts";
import type { RouteMatch } from "./router.ts";

/** Path parameters that hold an id. A webhook that is not there has a reason of its own; conversations have other ids. */
const ID_PARAMETER = /^(?:id|(?!webhook_|dm_conversation_)\w+_id)$/;

/**
 * Refuses what can't be an id before anything is looked up by it. Look-ups report theirs with all faults of the query.
 *
 * @throws {ApiError} 400.
 */
export function refuseMalformedIds(params: RouteMatch["params"], dialect: Dialect): void {
  const faults = Object.entries(params)
    .filter(([name, value]) => ID_PARAMETER.test(name) && !/^[0-9]{1,19}$/.test(value))
    .map(([name, value]) => [toCallerWord(name, dialect), value] as const)
    .map(([name, value]) => ({
      parameters: { [name]: [value] },
      message: `The \`${name}\` query parameter value [${value}] is not valid`,
    }));
  if (faults.length > 0) throw ApiError.invalid(faults);
}
