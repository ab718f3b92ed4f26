/** Section of the platform's documentation that describes subscriptions and replays. */
export const SECTION = "Account activity";
