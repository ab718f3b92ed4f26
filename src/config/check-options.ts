import type { Mistake } from "./problem.ts";
import type { Path } from "./yaml-document.ts";

/** Options of `checkValue`: the position of the value, and texts for its problems. */
export interface CheckOptions {
  /** Position of the checked value in the document; default the root. */
  readonly at?: Path;
  /** Text after the name of an unknown or missing key, such as ` in rule "faq"`. */
  readonly within?: string;
  /**
   * Returns the reason why this version refuses a key; `undefined` if the key is simply unknown.
   *
   * @param path Path of the map that has the key, relative to the checked value.
   */
  readonly reserved?: (
    key: string,
    path: Path,
  ) => string | Pick<Mistake, "message" | "help"> | undefined;
  /** Returns the right key for the key of another tool: `triggers` for `on`. */
  readonly meant?: (key: string, path: Path) => string | undefined;
  /**
   * Returns a help text for a wrong key if naming the right key is not enough, because its value has another form too.
   */
  readonly form?: (key: string, path: Path, value: unknown) => string | undefined;
  /** Returns a help text for a wrong value of a known key, if it is better than one for the value's type. */
  readonly value?: (path: Path, value: unknown) => string | undefined;
  /**
   * Keys that the help for an empty value may propose to leave out, if the schema accepts it: `any` key, or an `outer` key
   * of the checked map. Default: none, because a later check may need the key.
   */
  readonly mayBeLeftOut?: "any" | "outer";
}
