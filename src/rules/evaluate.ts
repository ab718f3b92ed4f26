/** Entry point for other folders: evaluates conditions and expressions on one event. */
export { Evaluation, type CompiledCondition } from "./evaluation/evaluation.ts";
export type { Asked, AskedTest, FieldAsked } from "./evaluation/asked.ts";
export type { ReadState } from "./evaluation/state-view.ts";
export type { Expression } from "./expression/expression.ts";
export { inside } from "./expression/syntax-tree.ts";
export { pathOf } from "./expression/value-types/typed-form.ts";
export { jsonOf, type View } from "./expression/view.ts";
export { fieldsOf } from "./schema/fields.ts";
