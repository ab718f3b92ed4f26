/** What the stream of activities is called among open streams. */
export const ACTIVITIES = "activities";
