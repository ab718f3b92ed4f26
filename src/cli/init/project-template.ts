/** The templates that `init` knows, the default first. */
export const TEMPLATE_NAMES = ["echo", "faq", "conversation", "typescript"] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** What the templates differ in. */
export interface ProjectTemplate {
  /** Rule files and bots by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** What to send to the bot, and what it does. */
  readonly suggestions: readonly (readonly [command: string, outcome: string])[];
}
