/** Keys of bodies that the runtime writes into its journal itself: what happens that no platform tells of. */
export const OWN_KEYS = [
  "answerback_schedule",
  "answerback_link_lost",
  "answerback_link_restored",
  "answerback_post_edited",
  "answerback_answer_by_hand",
] as const;

export type OwnKey = (typeof OWN_KEYS)[number];
