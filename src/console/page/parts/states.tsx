import type { ComponentChildren } from "preact";
import type { LiveAnswer } from "../asking/use-asked.ts";

/** What was asked for, once it is there; until then that it is loading, and where it does not come why. */
export function Shown<T>({
  asked,
  children,
}: {
  asked: LiveAnswer<T>;
  children: (value: T) => ComponentChildren;
}) {
  const { value, error, isLoading, again } = asked;
  return (
    <>
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {error.message}{" "}
          <button type="button" class="quiet" onClick={again}>
            Ask again
          </button>
        </p>
      )}
      {value === undefined
        ? isLoading && (
            <p class="soft" role="status">
              Loading …
            </p>
          )
        : children(value)}
    </>
  );
}

/** Nothing is there yet: what would be, and how to make some. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
