import type { ComponentChildren } from "preact";
import type { LiveAnswer } from "../asking/use-asked.ts";

/** Shows the response of a request. Before the response, shows a loading text; after a failure, the error. */
export function Shown<T>({
  answer,
  children,
}: {
  answer: LiveAnswer<T>;
  children: (value: T) => ComponentChildren;
}) {
  const { value, error, isLoading, again } = answer;
  return (
    <>
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {error.message}{" "}
          <button type="button" class="quiet" onClick={again}>
            Try again
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

/** Shows a text instead of an empty list: what the list would contain, and how to create an entry. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
