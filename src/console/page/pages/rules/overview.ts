import type { QuestionAnswers } from "../../../operations/operations.ts";

/** All rules with their activity, as the server returns them. */
export type ShownOverview = QuestionAnswers["rulesOverview"];
