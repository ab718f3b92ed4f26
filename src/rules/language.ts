/** Entry point for other folders: tables and schemas of the language, for its reference and for other formats. */
export { EXPRESSION_FUNCTIONS } from "./expression/functions/text-functions.ts";
export { matcher, ruleMap, stepMap } from "./file-schema/rule-file.ts";
export { MESSAGE_CODES, type MessageCode } from "./message-codes.ts";
export { OPERATORS } from "./operators/operators.ts";
export { WITH_EXPRESSION, duration, id, ruleId, text } from "./schema/pieces.ts";
export { meantWord } from "./schema/other-words.ts";
export { branch } from "./steps/branch.ts";
export type { StepKind } from "./steps/step-kind.ts";
export { resultFieldsOf, STEPS } from "./steps/steps.ts";
