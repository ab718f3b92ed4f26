import type { Json } from "../../../protocol/json.ts";

/** State that a rule file declares. */
export interface DeclaredState {
  /** Value that rules read as long as none is kept. */
  readonly value: Json;
  /** CEL type of the value. */
  readonly type: string;
}
