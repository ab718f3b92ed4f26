/** Statement of the interface, in our words. */
export interface Statement {
  readonly says: string;
  /** Titles of tests that show it, each after its file: `webhooks/webhooks.test.ts: title`. */
  readonly shownBy: readonly string[];
  /** Reason why no request can show the statement. */
  readonly hidden?: string;
}

/** Statements of the interface, by heading. */
export type Sections = Readonly<Record<string, readonly Statement[]>>;

/** Creates a statement that tests show; the files are below `test/sandbox/`. */
export function shown(says: string, ...shownBy: readonly string[]): Statement {
  return { says, shownBy };
}

/** Creates a statement that no request can show. */
export function hidden(says: string, why: string): Statement {
  return { says, shownBy: [], hidden: why };
}
