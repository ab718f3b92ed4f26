import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { OpenedTrace } from "./opened-trace.tsx";
import { TraceList } from "./trace-list.tsx";
import { TraceView } from "./trace-view.tsx";

/** Page with the events and their outcomes. */
export function Page({ session }: PageProps) {
  const [, seq] = route.value.parts;
  return (
    <main id="main" tabIndex={-1}>
      <h1>Traces</h1>
      {seq === undefined ? (
        <TraceList session={session} />
      ) : seq === "opened" ? (
        <OpenedTrace />
      ) : (
        <TraceView key={seq} of={seq} session={session} />
      )}
    </main>
  );
}
