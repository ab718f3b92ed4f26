import type { Json } from "../../../protocol/json.ts";

/** State that a rule file declares. */
export interface DeclaredState {
  /** What it is as long as nothing is kept. */
  readonly value: Json;
  /** The CEL type of that. */
  readonly type: string;
}
