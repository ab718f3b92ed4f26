import { valueAt } from "../../../config/check-value.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import { account } from "../../schema/pieces.ts";
import { handleOf } from "../../../text/handle.ts";

/** Returns the account that a rule file names for its rules: its id, or its handle in small letters. */
export function accountOf(document: YamlDocument): string | undefined {
  const written = valueAt(document.value, ["account"]);
  const source = typeof written === "string" ? written : document.sourceAt(["account"]);
  return plainAccount(account.optional().safeParse(source).data);
}

/** Normalizes a handle for comparisons: without `@`, in small letters. */
export function plainAccount(written: string | undefined): string | undefined {
  return written === undefined ? undefined : handleOf(written).toLowerCase();
}
