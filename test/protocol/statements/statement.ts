/** A statement of the platform's API documentation, in our words. */
export interface Statement {
  readonly says: string;
  /** Tests that show the statement, each as its file and title: `webhooks/webhooks.test.ts: title`. */
  readonly shownBy: readonly string[];
  /** Reason why no request can show the statement. */
  readonly hidden?: string;
}

/** Statements of the platform's API documentation, by heading. */
export type Sections = Readonly<Record<string, readonly Statement[]>>;

/** Creates a statement that tests show; the files are below `test/sandbox/`. */
export function shown(says: string, ...shownBy: readonly string[]): Statement {
  return { says, shownBy };
}

/** Creates a statement that no request can show. */
export function hidden(says: string, why: string): Statement {
  return { says, shownBy: [], hidden: why };
}
