import { ApiError } from "../../kernel/http/api-error.ts";

/** The error for a value that does not name anything. */
export function unknownValue(name: string, value: string): ApiError {
  return ApiError.parameter(
    name,
    value,
    `The \`${name}\` value [${value}] names nothing that you can see.`,
  );
}
