import type { QuestionAnswers } from "../../../operations/operations.ts";

/** What the rules did. */
export type ShownOverview = QuestionAnswers["rulesOverview"];
