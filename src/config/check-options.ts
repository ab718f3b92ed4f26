import type { Mistake } from "./problem.ts";
import type { Path } from "./yaml-document.ts";

/** Options of a check, and words for its problems. */
export interface CheckOptions {
  /** Position of the checked value in the document; default the root. */
  readonly at?: Path;
  /** Text after the name of an unknown or missing key, such as ` in rule "faq"`. */
  readonly within?: string;
  /**
   * Returns the reason why this version refuses a key; `undefined` if the key is simply unknown.
   *
   * @param path Path of the map with the key, from the checked value.
   */
  readonly reserved?: (
    key: string,
    path: Path,
  ) => string | Pick<Mistake, "message" | "help"> | undefined;
  /** Returns the right key for another tool's key, such as `triggers` for `on`. */
  readonly meant?: (key: string, path: Path) => string | undefined;
  /** Returns a help text for a key that is unknown or has another form in other tools, if one word is not enough. */
  readonly form?: (key: string, path: Path) => string | undefined;
}
