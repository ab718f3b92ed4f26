import type { Mistake } from "./problem.ts";
import type { Path } from "./yaml-document.ts";

/** How a value is checked, and how its problems are worded. */
export interface CheckOptions {
  /** Position of the checked value in the document. The root unless given. */
  readonly at?: Path;
  /** ` in rule "faq"`: put after the name of a key that is unknown or missing. */
  readonly within?: string;
  /**
   * Why a key that this version does not support is refused; `undefined` when the key is just unknown.
   *
   * @param path Of the map that holds the key, from the checked value.
   */
  readonly reserved?: (
    key: string,
    path: Path,
  ) => string | Pick<Mistake, "message" | "help"> | undefined;
  /** The key that an unknown one is called in other tools: `on` means `triggers`. */
  readonly meant?: (key: string, path: Path) => string | undefined;
  /** The help for a key that is unknown or has another form in other tools, where one word is not enough. */
  readonly form?: (key: string, path: Path) => string | undefined;
}
