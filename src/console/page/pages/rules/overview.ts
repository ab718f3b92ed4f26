import type { QuestionAnswers } from "../../../operations/operations.ts";

/** All rules with their activity. */
export type ShownOverview = QuestionAnswers["rulesOverview"];
