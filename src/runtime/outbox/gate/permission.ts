/** Answer to the question whether a request may be sent now. */
export type Permission =
  | { readonly kind: "go" }
  /** The request may go after one of the requests under way has ended. Ask again at that time. */
  | { readonly kind: "busy" }
  /** The request may go from `until` on, by the platform's clock. */
  | {
      readonly kind: "wait";
      readonly until: number;
      readonly reason: string;
      /** Whether the reason is a used-up limit; absent for an open circuit or an account that is not linked. */
      readonly isLimit?: true;
    };

export const GO: Permission = { kind: "go" };
export const BUSY: Permission = { kind: "busy" };

/** Returns the strictest of several permissions: the longest wait, else busy, else go. */
export function strictest(permissions: readonly Permission[]): Permission {
  return permissions.reduce((strict, one) => {
    if (strict.kind === "wait") {
      return one.kind === "wait" && one.until > strict.until ? one : strict;
    }
    return one.kind === "go" ? strict : one;
  }, GO);
}
