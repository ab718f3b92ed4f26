import { folderMistake } from "../../config/schema/store-schema.ts";
import { UsageError } from "../../errors.ts";
import { folderOf } from "../../runtime/stores.ts";
import { starPasswordOf } from "../../text/star-passwords.ts";
import { driverUrl, isPostgresUrl, openToOthers, shownUrl } from "../../system/postgres-url.ts";

/** Location of a store, parsed from the setting `store`. */
export type StorePlace =
  | { readonly kind: "folder"; readonly folder: string; readonly shown: string }
  | { readonly kind: "postgres"; readonly url: string; readonly shown: string };

/**
 * Parses a value of the setting `store`.
 *
 * @param text The value; a relative folder starts from `cwd`.
 * @param password Used if the URL of a database has none.
 * @throws {UsageError} if the text is neither a folder nor a PostgreSQL URL.
 */
export function placeOfStore(text: string, cwd: string, password: string | undefined): StorePlace {
  if (isPostgresUrl(text) && URL.canParse(text)) {
    const mistake = openToOthers(text);
    if (mistake) throw new UsageError(mistake.message, { hint: mistake.help });
    return { kind: "postgres", url: driverUrl(text, password), shown: shownUrl(text) };
  }
  if (text.startsWith("file:")) {
    const mistake = folderMistake(text);
    if (mistake) throw new UsageError(mistake.message, { hint: mistake.help });
    const folder = folderOf(text, cwd);
    return { kind: "folder", folder, shown: `file:${folder}` };
  }
  throw new UsageError(`${JSON.stringify(starPasswordOf(shownUrl(text)))} is not a store`, {
    hint: "write file:FOLDER or postgres://USER@HOST:5432/DATABASE",
  });
}
